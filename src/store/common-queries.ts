/** A row as either kind of database returns it. `row-columns.ts` reads its columns. */
export type CommonRow = Readonly<Record<string, unknown>>;
/** SQLite stores a boolean as 0 or 1. */
export type CommonValue = string | number | boolean | null | Uint8Array;
/** The columns of a row with their values. */
export type RowValues = Readonly<Record<string, CommonValue>>;
export type CommonStatement = { text: string; values: readonly CommonValue[] };

/**
 * Statements that both kinds of databases understand, with parameters `$1`, `$2`, …. Decisions that both
 * stores share are written once over this port.
 */
export interface CommonQueries {
  /** Reads rows. */
  all(text: string, values?: readonly CommonValue[]): Promise<CommonRow[]>;
  /** Changes rows in a transaction of its own, and resolves to their number. */
  run(text: string, values: readonly CommonValue[]): Promise<number>;
}

/**
 * The steps of one transaction. A step yields a statement and receives its rows. If it yields several
 * statements, it receives the rows of the last one. Steps are a generator, since a transaction of SQLite
 * cannot wait for a promise.
 */
export type StatementSteps<T> = Generator<CommonStatement | readonly CommonStatement[], T, CommonRow[]>;
