import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { peerFolder } from '../peers/find-program.ts';
import type { Peer } from '../peers/peer.ts';

/**
 * Installs the peers that are missing into the user's cache folder.
 * Returns false if one could not be installed.
 */
export async function installPeers(peers: readonly Peer[], report: (line: string) => void): Promise<boolean> {
  let isComplete = true;
  for (const { title, version, installation } of peers) {
    if (installation === null) continue;
    const folder = peerFolder(version);
    const program = join(folder, installation.program);
    let isThere = existsSync(program);
    if (!isThere) {
      report(`${title}: installing`);
      isThere = (await install(installation.commands, folder)) && existsSync(program);
    }
    isComplete &&= isThere;
    report(`${title}: ${isThere ? 'installed' : 'could not be installed'}`);
  }
  return isComplete;
}

/**
 * Runs the commands in a new folder. A failed installation leaves nothing that the next one would take for
 * whole.
 */
async function install(commands: readonly (readonly string[])[], folder: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  for (const command of commands)
    if (!(await succeeds(command, folder))) {
      rmSync(folder, { recursive: true });
      return false;
    }
  return true;
}

/** Runs a command, and reports whether it has succeeded. */
async function succeeds(command: readonly string[], folder: string): Promise<boolean> {
  const [program = '', ...rest] = command;
  const found = program.includes('/') ? join(folder, program) : Bun.which(program);
  if (found === null) throw new Error(`${program} is missing`);
  const child = Bun.spawn([found, ...rest], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  });
  return (await child.exited) === 0;
}
