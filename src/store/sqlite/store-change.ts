import type { SqliteConnection } from './connection.ts';
/** A change of the store. */
export interface Change {
  /** Has to be done when it returns: what it awaits would run outside the transaction. */
  run(connection: SqliteConnection): void;
  /** It may run twice: takes back what it has changed elsewhere, in the order that is the reverse of theirs. */
  undo(): void;
  /** It is on the disk, or has come to nothing. */
  written(): void;
  failed(): void;
  /** How much it writes beside its rows of fixed size. Changes that say so depend on no other that says so. */
  readonly bytes?: number | undefined;
}
