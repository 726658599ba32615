import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { quiet } from './clients-table.mjs';

/** The folders of programs that an installation of the client makes. */
const binariesOf = (folder) => [join(folder, 'node_modules', '.bin'), join(folder, 'python', 'bin')];

/** Returns the search path of programs with those of the client first. */
export const pathOf = (folder, ...others) => [...others, ...binariesOf(folder), process.env.PATH].join(':');

/**
 * Programs get fresh settings in a home of their own.
 * Compilers and libraries keep this environment and their caches.
 */
export function environmentOf(tool, { path, home, key }) {
  const base = tool === 'npm' ? { HOME: home, TERM: 'dumb', ...quiet } : { ...process.env, HOME: homedir() };
  return { ...base, PATH: path, TOLLGATE_KEY: key };
}

/** Ends background processes that a client left behind. They are found by their home directory. */
export function endRemains(home) {
  if (!existsSync('/proc')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      if (Number(pid) !== process.pid && environment.includes(`HOME=${home}`)) process.kill(Number(pid));
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
}
