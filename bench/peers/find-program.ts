import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Paths of programs, by the name of the peer. */
export type Programs = Readonly<Partial<Record<string, string>>>;

/**
 * Installs a peer on this machine.
 * Its folder is outside the repository, so that it is not a dependency of the project.
 */
export type Installation = {
  /** Below the folder. */
  program: string;
  /** Commands that install it, in order. They run in the folder. */
  commands: readonly (readonly string[])[];
};

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tollgate-bench');

/** Returns the folder of a peer's version in the user's cache. */
export const peerFolder = (version: string): string => join(cache, version);

export type ProgramSearch = { name: string; version: string; installation: Installation | null };

/** Returns the program of a peer: the one that the reader names, else the installed one. */
export function findProgram({ name, version, installation }: ProgramSearch, programs: Programs): string {
  const named = programs[name];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`there is no program ${named}`);
    return named;
  }
  if (installation === null) throw new Error(`no program is named: --program ${name}=PATH`);
  const installed = join(peerFolder(version), installation.program);
  if (!existsSync(installed)) throw new Error('not installed: run bench/compare.ts --install');
  return installed;
}
