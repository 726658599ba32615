import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../store/postgres/database.ts';
import type { Queries } from '../../store/postgres/queries.ts';
import { ARCHIVE_FOLDER } from '../../store/sqlite/data-directory.ts';
import type { SqliteConnection } from '../../store/sqlite/sqlite-connection.ts';
import { type MovedTable, SMALL_SLICE } from './moved-table.ts';

export type MoveSource = { directory: string; connection: SqliteConnection };
/** `isLast`: true if the table is complete. */
export type MovedRows = { table: string; rows: number; isLast: boolean };
type SourceRow = Record<string, unknown>;

const saveCursorSql = `
  INSERT INTO store_migration AS old (name, cursor, rows, is_done) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor, rows = old.rows + excluded.rows, is_done = excluded.is_done`;

/**
 * Moves the rows of a table in slices. The cursor changes in the transaction of its slice, so an interrupted
 * move continues behind its last slice. Returns the number of rows that this call has moved.
 */
export async function moveTable(
  source: MoveSource,
  database: Database,
  table: MovedTable,
  report: (moved: MovedRows) => void,
): Promise<number> {
  let moved = 0;
  for (;;) {
    const { rows, isLast } = await database.transaction((queries) => moveSlice(source, queries, table));
    moved += rows;
    if (moved > 0) report({ table: table.name, rows: moved, isLast });
    if (isLast) return moved;
  }
}

async function moveSlice(
  source: MoveSource,
  queries: Queries,
  table: MovedTable,
): Promise<{ rows: number; isLast: boolean }> {
  const state = await queries.first(
    'SELECT cursor, is_done FROM store_migration WHERE name = $1 FOR UPDATE',
    [table.name],
  );
  if (state?.is_done === true) return { rows: 0, isLast: true };
  // An earlier slice wrote the cursor, with the values of the keys.
  const cursor = state ? (JSON.parse(String(state.cursor)) as (string | number)[]) : undefined;
  const rows = readSlice(source, table, cursor);
  const isLast = rows.length < (table.rows ?? SMALL_SLICE);
  if (rows.length > 0) await insertSlice(queries, table, rows);
  const last = rows.at(-1);
  const next = last ? table.keys.map((_, index) => last[keyName(index)]) : (cursor ?? []);
  await queries.run(saveCursorSql, [table.name, JSON.stringify(next), rows.length, isLast]);
  return { rows: rows.length, isLast };
}

const keyName = (index: number): string => `moved_key_${index}`;

function readSlice(
  { directory, connection }: MoveSource,
  { name, from = name, keys, columns, rows = SMALL_SLICE, files }: MovedTable,
  cursor: (string | number)[] | undefined,
): SourceRow[] {
  const selected = [
    ...Object.entries(columns).map(([column, expression]) => `${expression} AS "${column}"`),
    ...keys.map((key, index) => `"${key}" AS ${keyName(index)}`),
  ];
  const order = keys.map((key) => `"${key}"`).join(', ');
  const afterCursor = cursor ? `WHERE (${order}) > (${keys.map(() => '?').join(', ')})` : '';
  const sql = `SELECT ${selected.join(', ')} FROM ${from} ${afterCursor} ORDER BY ${order} LIMIT ${rows}`;
  const sourceRows: SourceRow[] = connection.all(sql, cursor ?? []);
  if (files === undefined) return sourceRows;
  return sourceRows.map((row) => ({
    ...row,
    [files]: contentOf(join(directory, ARCHIVE_FOLDER, String(row[files]))),
  }));
}

const contentOf = (path: string): string => `\\x${readFileSync(path, 'hex')}`;

/** Inserts rows. The types of the columns come from the table, so that the rows travel as one JSON text. */
async function insertSlice(
  queries: Queries,
  { name, columns }: MovedTable,
  rows: readonly SourceRow[],
): Promise<void> {
  const names = Object.keys(columns);
  const quoted = names.map((column) => `"${column}"`).join(', ');
  const records = rows.map((row) =>
    Object.fromEntries(names.map((column) => [column, storable(row[column])])),
  );
  await queries.run(
    `INSERT INTO ${name} (${quoted}) OVERRIDING SYSTEM VALUE
      SELECT ${quoted} FROM json_populate_recordset(NULL::${name}, $1::text::json)`,
    [JSON.stringify(records)],
  );
}

/** Postgres stores no NUL in texts. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
