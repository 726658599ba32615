import type { DerivedTable } from '../../ledger/derived-table.ts';
import type { ExpectedRows } from '../../ledger/expected-rows.ts';
import type { Queries } from '../queries.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';

const ROWS_AT_A_TIME = 300;

/** Replaces the derived rows of an account by the expected ones. */
export async function writeDerivedRows(
  queries: Queries,
  accountId: string,
  expected: ExpectedRows,
): Promise<void> {
  for (const table of postgresDerivedTables) {
    await queries.run(clearSql(table), [accountId]);
    const all = [...expected.of(table.name).values()];
    for (let from = 0; from < all.length; from += ROWS_AT_A_TIME) {
      const some = all.slice(from, from + ROWS_AT_A_TIME);
      const values = some.flatMap((row) => [accountId, ...row.key, ...row.values]);
      await queries.run(saveSql(table, some.length), values);
    }
  }
}

/** Sets rows that can exist without an entry to zero instead of deleting them, so that their locks remain. */
function clearSql({ name, values, hasZeros }: DerivedTable): string {
  if (!hasZeros) return `DELETE FROM ${name} WHERE account_id = $1`;
  const zeros = values.map((column) => `${column} = ${column === 'hash' ? `''` : 0}`);
  return `UPDATE ${name} SET ${zeros.join(', ')} WHERE account_id = $1`;
}

/** Inserts rows, or replaces the rows with their unique keys. */
function saveSql(
  { name, key, values, uniqueKey = ['account_id', ...key] }: DerivedTable,
  rows: number,
): string {
  const columns = ['account_id', ...key, ...values];
  const changes = columns.filter((column) => !uniqueKey.includes(column));
  return `
    INSERT INTO ${name} (${columns.join(', ')}) VALUES ${placesOf(rows, columns.length).join(', ')}
    ON CONFLICT (${uniqueKey.join(', ')}) DO UPDATE SET
    ${changes.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`;
}

/** Returns `($1, $2)` and `($3, $4)` for two rows of two columns. */
const placesOf = (rows: number, columns: number): string[] =>
  Array.from({ length: rows }, (_, row) => {
    const places = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${places.join(', ')})`;
  });
