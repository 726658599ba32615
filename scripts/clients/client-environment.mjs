import { homedir } from 'node:os';
import { join } from 'node:path';
import { quiet } from './clients-table.mjs';

/** The folders of programs that an installation of the client makes. */
const programFolders = (folder) => [join(folder, 'node_modules', '.bin'), join(folder, 'python', 'bin')];

/** Returns the search path, with the programs of the client before those of the machine. */
export const pathOf = (folder, ...others) =>
  [...others, ...programFolders(folder), process.env.PATH].join(':');

/**
 * Returns the environment of a client. Clients from npm are programs with settings, so each gets an empty
 * home. Other tools use the home of this machine for their caches.
 */
export function environmentOf(tool, { path, home, key }) {
  const isolated = { HOME: home, TERM: 'dumb', ...quiet };
  const shared = { ...process.env, HOME: homedir() };
  return { ...(tool === 'npm' ? isolated : shared), PATH: path, TOLLGATE_KEY: key };
}
