import type { CommonRow } from './common-queries.ts';
import { StoreProblem } from './store-problem.ts';

/** The row of a statement that always returns one. Without it, each of its columns is unreadable. */
type ExpectedRow = CommonRow | undefined;

/**
 * Returns a text. `T` is trusted: a newer node of a rolling upgrade can write kinds that this node does
 * not know.
 */
export function text<T extends string = string>(row: ExpectedRow, column: string): T {
  const value = row?.[column];
  return typeof value === 'string' ? (value as T) : unreadable(column, value);
}

export const nullableText = <T extends string = string>(row: CommonRow, column: string): T | null =>
  row[column] === null ? null : text<T>(row, column);

/** Returns a text, or undefined if there is no row or the column is null. */
export const foundText = (row: CommonRow | undefined, column: string): string | undefined =>
  row === undefined || row[column] === null ? undefined : text(row, column);

/** Returns an array of texts. */
export function texts(row: CommonRow, column: string): string[] {
  const values = row[column];
  const isList = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isList ? values : unreadable(column, values);
}

/** Returns a number. Postgres sends some as text, such as sums of whole numbers. */
export function number(row: ExpectedRow, column: string): number {
  const value = row?.[column];
  if (typeof value === 'number') return value;
  const converted = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(converted) ? unreadable(column, value) : converted;
}

export const nullableNumber = (row: CommonRow, column: string): number | null =>
  row[column] === null ? null : number(row, column);

/** Returns a boolean. SQLite stores it as 0 or 1. */
export function flag(row: CommonRow, column: string): boolean {
  const value = row[column];
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : unreadable(column, value);
}

export function bytes(row: CommonRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unreadable(column, value);
}

/** Returns the parsed text of a column. `T` is trusted, since only this program writes the text. */
export const json = <T>(row: ExpectedRow, column: string): T => JSON.parse(text(row, column)) as T;

export const nullableJson = <T>(row: CommonRow, column: string): T | null =>
  row[column] === null ? null : json<T>(row, column);

/** Returns a text that must be one of a list. */
export function oneOf<T extends string>(row: CommonRow, column: string, values: readonly T[]): T {
  const value = row[column] as T;
  return values.includes(value) ? value : unreadable(column, value);
}

/** Throws. The value is not in the message, since it can be a secret. */
function unreadable(column: string, value: unknown): never {
  const kind = value === null ? 'null' : typeof value;
  throw new StoreProblem(
    `The column ${column} of a row cannot be read (${kind})`,
    'run the version that wrote the row, or restore a backup',
  );
}
