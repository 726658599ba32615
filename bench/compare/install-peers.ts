import { existsSync, mkdirSync } from 'node:fs';
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
    if (!existsSync(program)) {
      mkdirSync(folder, { recursive: true });
      report(`${title}: installing`);
      for (const command of installation.commands) await run(command, folder);
    }
    const isThere = existsSync(program);
    isComplete &&= isThere;
    report(`${title}: ${isThere ? 'installed' : 'could not be installed'}`);
  }
  return isComplete;
}

async function run(command: readonly string[], folder: string): Promise<void> {
  const [program = '', ...rest] = command;
  const found = program.includes('/') ? join(folder, program) : Bun.which(program);
  if (found === null) throw new Error(`${program} is missing`);
  const child = Bun.spawn([found, ...rest], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  });
  await child.exited;
}
