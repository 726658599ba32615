import { AccountBook } from '../../../money/ledger/account-book.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import type { RunningSums } from './running-sums.ts';

/** An account in use: its balances and the end of its chain. */
export class OpenBook {
  readonly sums: RunningSums;
  readonly accountId: string;
  readonly balances: AccountBook;
  /**
   * The end of the chain, where the next entry goes. It is undefined after a failed write: it is read from
   * the store again.
   */
  head: ChainHead | undefined;
  /** The number of open holds and pending writes. While it is above zero, the book must stay in memory. */
  uses = 0;
  /** Periods already recorded: a few, since an account is seldom in use for years. */
  readonly opened = new Set<string>();

  constructor(sums: RunningSums, accountId: string) {
    this.sums = sums;
    this.accountId = accountId;
    this.balances = new AccountBook({
      bucket: (period) => sums.bucket(accountId, period),
      spent: (keyId, month) => sums.spent(accountId, keyId, month),
      dayTokens: () => sums.dayTokens(accountId),
      budgets: () => sums.budgets.of(accountId),
      bins: (budget, target) => sums.bins(budget, target),
    });
  }
}

/** The most books in memory. Books evicted from memory are loaded again on next use. */
const MAX_BOOKS = 20_000;
/**
 * Evictions happen in bulk, since finding the oldest entry of a Map scans the entries that were deleted
 * before it.
 */
const SOME_BOOKS = 1_000;

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
