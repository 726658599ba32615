import type { SqlValue } from './sql-value.ts';

/**
 * Returns an INSERT of one row with its values. Columns are in the order of the row's members.
 *
 * @example
 * insertInto('probe', { at: 1 }, 'RETURNING at')[0]; // → 'INSERT INTO probe (at) VALUES ($1) RETURNING at'
 */
export function insertInto(
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  clause: string,
): [text: string, values: readonly SqlValue[]] {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) ${clause}`,
    Object.values(row),
  ];
}
