export type CommonRow = Readonly<Record<string, unknown>>;
/** The columns of a row with their values. SQLite stores a boolean as 0 or 1. */
export type RowValues = Readonly<Record<string, CommonValue | boolean>>;
export type CommonValue = string | number | null;
export type CommonChange = readonly [text: string, values: readonly CommonValue[]];

/**
 * Statements that both kinds of databases understand, with parameters `$1`, `$2`, …. What both stores decide alike is written once over
 * this port.
 */
export interface CommonQueries {
  /** Reads rows. */
  all(text: string, values: readonly CommonValue[]): Promise<CommonRow[]>;
  /** Changes rows in a transaction of its own, and resolves to their number. */
  run(text: string, values: readonly CommonValue[]): Promise<number>;
  /** Runs several changes in one transaction. */
  runTogether(changes: readonly CommonChange[]): Promise<void>;
}
