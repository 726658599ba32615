import { Database, SQLiteError } from 'bun:sqlite';
import { join } from 'node:path';
import { StoreProblem } from '../store-problem.ts';
import { prepareFile } from './data-directory.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

export const LOCK_FILE = 'tollgate.lock';

export type DirectoryLock = { release(): void };

/** The problem of a start while another process has the lock. */
export class DirectoryInUse extends StoreProblem {
  constructor(directory: string, cause: unknown) {
    super(
      `Another server is running on the data directory ${directory}`,
      'stop that server first, or choose another data directory',
      cause,
    );
  }
}

/**
 * Prevents a second server on the directory. SQLite takes an operating system lock on an empty file next to
 * the database. The lock ends with the process, and other programs can still read the database.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, LOCK_FILE);
  prepareFile(directory, path);
  return withSqliteProblems(path, () => {
    const database = new Database(path, { readwrite: true });
    try {
      takeLock(database);
    } catch (error) {
      database.close();
      throw isTaken(error) ? new DirectoryInUse(directory, error) : error;
    }
    return { release: () => database.close(true) };
  });
}

function takeLock(database: Database): void {
  // Nothing is ever written, so no journal file is needed.
  database.run('PRAGMA journal_mode = MEMORY');
  database.run('BEGIN EXCLUSIVE');
}

function isTaken(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}
