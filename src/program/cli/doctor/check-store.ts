import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOfError } from '../../../base/lib/message-of-error.ts';
import { DATABASE_FILE, lostDatabase } from '../../../store/sqlite/data-directory.ts';
import { refuseUnknownSchema } from '../../../store/sqlite/migrate.ts';
import { migrations } from '../../../store/sqlite/migrations.ts';
import { SqliteConnection } from '../../../store/sqlite/sqlite-connection.ts';
import { withSqliteProblems } from '../../../store/sqlite/sqlite-problem.ts';
import { StoreProblem } from '../../../store/store-problem.ts';
import { isInUse } from '../is-in-use.ts';
import type { Check } from './check.ts';
import { checkDatabase } from './check-database.ts';
import { type Finding, fail, ok } from './finding.ts';

const CHECK = 'store';
/** A larger file is not read completely, since that would take too long. */
const MAX_READ_BYTES = 512 * 1024 * 1024;

/** Checks the embedded store, or the database of the configuration. */
export const checkStore: Check = async (input) => {
  const { data_dir, database_url } = input.config.store;
  const embedded = database_url === null ? [checkSqlite(resolve(data_dir))] : [];
  return [...embedded, ...(await checkDatabase(input))];
};

function checkSqlite(directory: string): Finding {
  const path = join(directory, DATABASE_FILE);
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (!file) return checkMissing(directory);
    if (isInUse(directory)) return ok(CHECK, `${path} is in use by a running server`);
    const isSmall = file.size <= MAX_READ_BYTES;
    withSqliteProblems(path, () => {
      if (isSmall) readAll(path);
      else readBeginning(path);
      checkSchema(path);
    });
    const extent = isSmall ? ' and is intact' : '; the file is too large for a complete check';
    return ok(CHECK, `${path} opens${extent}`);
  } catch (error) {
    if (error instanceof StoreProblem) return fail(CHECK, error.message, error.hint);
    const hint = 'give the user that runs the server access to it, or restore it from a backup';
    return fail(CHECK, `${path} cannot be read: ${messageOfError(error)}`, hint);
  }
}

function checkMissing(directory: string): Finding {
  const problem = lostDatabase(directory);
  return problem
    ? fail(CHECK, problem.message, problem.hint)
    : ok(CHECK, 'the first start will create the embedded store');
}

function readAll(path: string): void {
  using database = new Database(path, { readonly: true });
  const row = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get();
  if (row?.quick_check !== 'ok') {
    throw new StoreProblem(`${path} is not an intact database`, 'restore it from a backup');
  }
}

function readBeginning(path: string): void {
  using database = new Database(path, { readonly: true });
  database.query('SELECT count(*) FROM sqlite_schema').get();
}

/** Refuses a file that a newer version has written. */
function checkSchema(path: string): void {
  const connection = new SqliteConnection(path, { isReadOnly: true });
  try {
    refuseUnknownSchema(connection, migrations);
  } finally {
    connection.close();
  }
}
