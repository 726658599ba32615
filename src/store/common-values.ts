export type CommonRow = Readonly<Record<string, unknown>>;
/** SQLite stores a boolean as 0 or 1. */
export type CommonValue = string | number | boolean | null | Uint8Array;
/** The columns of a row with their values. */
export type RowValues = Readonly<Record<string, CommonValue>>;

export type CommonStatement = { text: string; values: readonly CommonValue[] };
/**
 * Yields the statements of one transaction, and receives the rows of each. Of several at once, it receives those of the last. A
 * transaction of SQLite cannot wait for a promise, so steps are no asynchronous function.
 */
export type StatementSteps<T> = Generator<CommonStatement | readonly CommonStatement[], T, CommonRow[]>;
