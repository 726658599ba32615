import type { SqliteConnection } from './sqlite-connection.ts';

/** A change of the store. */
export interface StoreChange {
  /** Writes the change. Nothing may be awaited, since awaited work runs outside the transaction. */
  run(connection: SqliteConnection): void;
  /**
   * Reverts changes outside the database, since `run` may be called twice. The writer undoes changes in the
   * reverse order of their runs.
   */
  undo(): void;
  /** The writer calls it when the change is on disk. */
  onWritten(): void;
  /** The writer calls it if the change is discarded. */
  onFailure(): void;
  /** The size of the write beyond rows of fixed size. Changes with a size must not depend on each other. */
  readonly bytes?: number | undefined;
}
