import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE_FILE } from '../../store/sqlite/data-directory.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { StoreProblem } from '../../store/store-problem.ts';
import { chosenDatabase } from './chosen-database.ts';
import { CommandFailure } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import type { Invocation } from './invocation.ts';
import { isInUse } from './is-in-use.ts';
import { namesServer } from './server-access.ts';

/**
 * Returns the data directory if no server uses it, and neither a server nor a database is named. Returns
 * undefined if a server must be asked.
 */
export function stoppedDirectory(invocation: Invocation): string | undefined {
  if (namesServer(invocation) || chosenDatabase(invocation) !== undefined) return undefined;
  const directory = resolve(dataDirectory(invocation));
  const isHere = existsSync(join(directory, DATABASE_FILE)) && !isInUse(directory);
  return isHere ? directory : undefined;
}

/** Works on the store of a directory that no server uses. A problem of the store fails the command. */
export async function withStoppedStore<T>(
  directory: string,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  try {
    const store = await openSqliteStore({ directory });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    throw error instanceof StoreProblem ? new CommandFailure(error.sentence) : error;
  }
}
