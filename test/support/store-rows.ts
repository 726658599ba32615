import { Database as SqliteDatabase } from 'bun:sqlite';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { databaseOf } from './postgres/database-of.ts';

/** A statement for both stores, or one for each. */
type StoreSql = string | { sqlite: string; postgres: string };

/** Runs a statement in the store of a data directory, even while servers use it, and returns its rows. */
export async function storeRows<Row = Record<string, unknown>>(
  dataDirectory: string,
  sql: StoreSql,
): Promise<Row[]> {
  const address = await databaseOf(dataDirectory);
  if (address === undefined) return sqliteRows(dataDirectory, typeof sql === 'string' ? sql : sql.sqlite);
  const database = new Database({ url: address, maxConnections: 1 });
  try {
    return (await database.all(typeof sql === 'string' ? sql : sql.postgres)) as Row[];
  } finally {
    await database.close();
  }
}

function sqliteRows<Row>(dataDirectory: string, sql: string): Row[] {
  const database = new SqliteDatabase(join(dataDirectory, 'tollgate.db'));
  try {
    return database.query(sql).all() as Row[];
  } finally {
    database.close();
  }
}

export async function countRows(dataDirectory: string, table: string): Promise<number> {
  const [row] = await storeRows(dataDirectory, `SELECT count(*) AS count FROM ${table}`);
  return Number(row?.count);
}
