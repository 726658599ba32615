import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SystemName } from '../benchmark-report.ts';

/** Paths of programs, by the name of the peer. */
export type Programs = Readonly<Partial<Record<SystemName, string>>>;

/**
 * The installation of a peer on this machine. Its folder is outside the repository, so that the peer is not a
 * dependency of the project.
 */
export type Installation = {
  /** The path of the installed program below the folder. */
  program: string;
  /** Commands that run in the folder, in order: a program and its arguments. */
  commands: readonly (readonly [program: string, ...rest: string[]])[];
};

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tollgate-bench');

/** Returns the folder of a peer's version in the user's cache. */
export const peerFolder = (version: string): string => join(cache, version);

type Findable = { name: SystemName; version: string; installation: Installation | null };

/** Returns the program of a peer: the path from the command line, or else the installed program. */
export function findProgram({ name, version, installation }: Findable, programs: Programs): string {
  const given = programs[name];
  if (given !== undefined) {
    if (!existsSync(given)) throw new Error(`there is no program ${given}`);
    return given;
  }
  if (installation === null) throw new Error(`no program is named: --program ${name}=PATH`);
  const installed = join(peerFolder(version), installation.program);
  if (!existsSync(installed)) throw new Error('not installed: run bench/compare.ts --install');
  return installed;
}
