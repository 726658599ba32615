import { OpenBook } from './open-book.ts';
import type { RunningSums } from './running-sums.ts';

/** The most books in memory. Books evicted from memory are loaded again on next use. */
const MAX_BOOKS = 20_000;
/**
 * Evictions happen in bulk, since finding the oldest entry of a Map scans the entries that were deleted
 * before it.
 */
const SOME_BOOKS = 1_000;

/** The accounts in use, by their ids. */
export class Books {
  readonly #sums: RunningSums;
  readonly #books = new Map<string, OpenBook>();

  constructor(sums: RunningSums) {
    this.#sums = sums;
  }

  of(accountId: string): OpenBook {
    const existingBook = this.#books.get(accountId);
    if (existingBook) return existingBook;
    if (this.#books.size >= MAX_BOOKS) this.#forgetSome();
    const book = new OpenBook(this.#sums, accountId);
    this.#books.set(accountId, book);
    return book;
  }

  /** Discards an outdated book. Nothing may be using it. */
  forget(accountId: string): void {
    this.#books.delete(accountId);
  }

  /**
   * Evicts the oldest unused books, and moves books in use to the end.
   * With many books in use, memory temporarily holds more.
   */
  #forgetSome(): void {
    for (const [accountId, book] of [...this.#books.entries().take(SOME_BOOKS)]) {
      this.#books.delete(accountId);
      if (book.uses > 0) this.#books.set(accountId, book);
    }
  }
}
