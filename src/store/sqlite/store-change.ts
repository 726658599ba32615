import type { SqliteConnection } from './sqlite-connection.ts';

/** A change of the store. */
export interface Change {
  /** Must complete synchronously, since awaited work would run outside the transaction. */
  run(connection: SqliteConnection): void;
  /**
   * Reverts changes outside the database, since `run` may be called twice.
   * Calls are in reverse order of the runs.
   */
  undo(): void;
  /** Is called when the change is on disk; `onFailure` is called if it is discarded. */
  onWritten(): void;
  onFailure(): void;
  /** The size of the write beyond rows of fixed size. Changes with a size must not depend on each other. */
  readonly bytes?: number | undefined;
}
