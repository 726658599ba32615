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
 * Yields the statements of one transaction, and receives the rows of each.
 * Of several at once, it receives those of the last. A transaction of SQLite cannot wait for a promise, so
 * steps are no asynchronous function.
 */
export type StatementSteps<T> = Generator<CommonStatement | readonly CommonStatement[], T, CommonRow[]>;
