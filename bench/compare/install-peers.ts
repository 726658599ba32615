import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Installation, peerFolder } from '../peers/find-program.ts';
import type { Peer } from '../peers/peer.ts';

/**
 * Installs the peers that are missing into the user's cache folder.
 * Returns false if one could not be installed.
 */
export async function installPeers(peers: readonly Peer[], report: (line: string) => void): Promise<boolean> {
  let failures = 0;
  for (const { title, version, installation } of peers) {
    if (installation === null) continue;
    const folder = peerFolder(version);
    const isInstalled =
      existsSync(join(folder, installation.program)) || (await install(installation, folder, report));
    if (!isInstalled) failures += 1;
    report(`${title}: ${isInstalled ? 'installed' : 'could not be installed'}`);
  }
  return failures === 0;
}

/**
 * Runs the commands of an installation in its folder, until one fails. The folder is then removed, since a
 * program in it would count as installed.
 */
async function install(
  { commands, program }: Installation,
  folder: string,
  report: (line: string) => void,
): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  for (const command of commands) {
    report(command.join(' '));
    if (await succeeds(command, folder)) continue;
    rmSync(folder, { recursive: true });
    return false;
  }
  return existsSync(join(folder, program));
}

/** Runs a command, and reports whether its exit code is 0. */
async function succeeds(
  [program, ...rest]: Installation['commands'][number],
  folder: string,
): Promise<boolean> {
  const path = program.includes('/') ? join(folder, program) : Bun.which(program);
  if (path === null) throw new Error(`${program} is missing`);
  const child = Bun.spawn([path, ...rest], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  });
  return (await child.exited) === 0;
}
