import { AccountBook } from '../../../money/ledger/account-book.ts';
import type { Head } from './heads.ts';
import type { RunningSums } from './running-sums.ts';

/** An account that is in use: its balances, and where its next entry goes. */
export class OpenBook {
  readonly sums: RunningSums;
  readonly accountId: string;
  readonly balances: AccountBook;
  /** Where the next entry goes. Undefined: to be looked up again, since a write may not have got through. */
  head: Head | undefined;
  /** Holds, and writes on their way: while there are any the book must not be forgotten. */
  uses = 0;
  /** Periods that are known to be written down: a few, since an account is seldom in use for years. */
  readonly opened = new Set<string>();

  constructor(sums: RunningSums, accountId: string) {
    this.sums = sums;
    this.accountId = accountId;
    this.balances = new AccountBook({
      bucket: (period) => sums.bucket(accountId, period),
      spent: (keyId, month) => sums.spent(accountId, keyId, month),
      dayTokens: () => sums.dayTokens(accountId),
    });
  }
}

/** Accounts of which the balances stay in memory; who comes back after so many others is read again. */
const MOST_BOOKS = 20_000;
/** Forgotten at a time: a look for the oldest passes by all that were forgotten before it. */
const SOME_BOOKS = 1_000;

export class Books {
  readonly #sums: RunningSums;
  readonly #books = new Map<string, OpenBook>();

  constructor(sums: RunningSums) {
    this.#sums = sums;
  }

  of(accountId: string): OpenBook {
    const known = this.#books.get(accountId);
    if (known) return known;
    if (this.#books.size >= MOST_BOOKS) this.#forgetSome();
    const book = new OpenBook(this.#sums, accountId);
    this.#books.set(accountId, book);
    return book;
  }

  /** What it knows is not true any more, and nobody uses it. */
  forget(accountId: string): void {
    this.#books.delete(accountId);
  }

  /** The oldest that nobody uses; those in use go behind. Where many are in use there are more for now. */
  #forgetSome(): void {
    for (const [accountId, book] of [...this.#books.entries().take(SOME_BOOKS)]) {
      this.#books.delete(accountId);
      if (book.uses > 0) this.#books.set(accountId, book);
    }
  }
}
