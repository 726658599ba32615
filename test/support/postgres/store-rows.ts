import { Database as SqliteDatabase } from 'bun:sqlite';
import { join } from 'node:path';
import { Database } from '../../../src/store/postgres/database.ts';
import { databaseOf } from './database-of.ts';

/** One text for both stores, or one for each. */
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

type EntryRow = { number: number; text: string };

/**
 * Replaces the texts of entries that `edit` changes, as damage of the store would. `undefined` means that the
 * text stays.
 */
export async function editEntries(
  dataDirectory: string,
  edit: (text: string) => string | undefined,
): Promise<void> {
  const rows = await storeRows<EntryRow>(dataDirectory, 'SELECT number, text FROM entry ORDER BY number');
  for (const { number, text } of rows) {
    const changed = edit(text);
    if (changed === undefined) continue;
    const literal = `'${changed.replaceAll("'", "''")}'`;
    await storeRows(dataDirectory, `UPDATE entry SET text = ${literal} WHERE number = ${number}`);
  }
}

const KIND = 3;
const AMOUNT = 5;

/** Adds to the amount in the text of an entry. */
export function withMore(text: string, microcredits: number, kind?: string): string | undefined {
  const values = JSON.parse(text) as unknown[];
  if (kind !== undefined && values[KIND] !== kind) return undefined;
  values[AMOUNT] = Number(values[AMOUNT]) + microcredits;
  return JSON.stringify(values);
}
