import type { ChainHead } from '../../ledger/chain-head.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { StoreChange } from '../store-change.ts';
import type { PlacedEntry } from './entries.ts';
import type { OpenBook } from './open-book.ts';

/** A write of entries at the end of an account's chain. */
export class EntryWrite implements StoreChange {
  readonly book: OpenBook;
  readonly #write: (connection: SqliteConnection) => PlacedEntry[];
  #before: ChainHead | undefined;
  entries: PlacedEntry[] = [];
  readonly bytes: number | undefined;

  constructor(book: OpenBook, write: (connection: SqliteConnection) => PlacedEntry[]) {
    this.book = book;
    this.#write = write;
    book.uses += 1;
  }

  run(connection: SqliteConnection): void {
    this.#before = this.book.head;
    this.entries = this.#write(connection);
  }

  undo(): void {
    this.book.head = this.#before;
  }

  onWritten(): void {
    this.book.uses -= 1;
    for (const entry of this.entries) this.book.sums.add(entry);
  }

  /** After a failed write, the end of the chain in memory is unreliable. */
  onFailure(): void {
    this.book.uses -= 1;
    this.book.head = undefined;
  }
}
