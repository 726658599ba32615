import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.ts';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const DEADLINE_MS = 600_000;

/** Writes a temporary table of the numbers below `count`, in the words of either store. */
export const numbers = (name: string, count: number, isPostgres: boolean): string =>
  isPostgres
    ? `${name} AS (SELECT i FROM generate_series(0, ${count - 1}) AS s (i))`
    : `${name} (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM ${name} WHERE i < ${count - 1})`;

/** The statements that fill a store, in the words of either store. */
export type Fillings = (isPostgres: boolean) => readonly string[];

/** Measures a new embedded store that the statements have filled. */
export async function onFilledSqlite<T>(
  fillings: Fillings,
  measure: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-filled-'));
  await (await openSqliteStore({ directory })).close();
  const connection = new SqliteConnection(join(directory, 'tollgate.db'));
  for (const statement of fillings(false)) connection.script(statement);
  connection.close();
  const store = await openSqliteStore({ directory });
  try {
    return await measure(store);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Measures a new database that the statements have filled. */
export async function onFilledPostgres<T>(
  fillings: Fillings,
  measure: (database: Database) => Promise<T>,
): Promise<T> {
  const server = await postgresForTest();
  const url = await server.create();
  const database = new Database({ url, maxConnections: 4, deadlineMs: DEADLINE_MS });
  try {
    await migrate(database, schema);
    for (const statement of fillings(true)) await database.run(statement);
    await database.run('ANALYZE');
    return await measure(database);
  } finally {
    await database.close();
    await server.drop(url);
  }
}
