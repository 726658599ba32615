import type { SqlForms } from './sql-forms.ts';

/** The columns of a table with their types. Rows of it are written from JSON. */
export type WrittenColumns = Readonly<Record<string, 'text' | 'bigint'>>;

/** A row as it is written. Its members are the columns. */
export type WrittenRow<Columns extends WrittenColumns> = Record<keyof Columns, string | number | null>;

type Replacement = { table: string; columns: WrittenColumns; key: readonly string[] };

/**
 * Returns a statement that writes the rows of its parameter, an array of objects in JSON.
 * A row replaces the earlier one with the same key.
 */
export function replaceRows({ rowsOf }: SqlForms, { table, columns, key }: Replacement): string {
  const names = Object.keys(columns);
  const replaced = names.filter((name) => !key.includes(name));
  return `
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${names.join(', ')} FROM ${rowsOf('$1', columns)} WHERE true
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET
      ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
