import type { RowValues } from '../common-queries.ts';
import type { SqliteConnection } from './connection.ts';

export function insertRow(connection: SqliteConnection, table: string, row: RowValues): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  connection.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, Object.values(row));
}

/** Writes the columns if the stored version equals the given one, and increments the version. Returns false if nothing was written. */
export function saveRow(
  connection: SqliteConnection,
  table: string,
  { id, version, ...columns }: RowValues & { id: string; version: number },
): boolean {
  const assigned = Object.keys(columns).map((column) => `${column} = ?`);
  const text = `UPDATE ${table} SET ${assigned.join(', ')}, version = version + 1 WHERE id = ? AND version = ?`;
  return connection.run(text, [...Object.values(columns), id, version]) === 1;
}
