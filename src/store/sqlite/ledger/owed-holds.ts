import type { Hold } from '../../../money/ledger/hold.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { Books } from './books.ts';
import { holdPages } from './hold-rows.ts';
import { OpenHold } from './open-hold.ts';

/**
 * Holds of an earlier process that purchased credit or the cap of a key no longer covers. A payment was
 * reversed meanwhile, or a raised cap admitted other requests.
 * They are taken again until they end, so that each request is charged from its own hold.
 */
export class OwedHolds {
  readonly #connection: SqliteConnection;
  readonly #books: Books;
  readonly #holds = new Map<string, OpenHold>();
  #isRead = false;

  constructor(connection: SqliteConnection, books: Books) {
    this.#connection = connection;
    this.#books = books;
  }

  /** Takes the spooled holds again, before the first charge. Later calls do nothing. */
  restore(spooled: readonly Hold[]): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const byAccount = new Map<string, Map<string, Hold>>();
    for (const hold of [...spooled, ...this.#kept()]) {
      const { accountId, requestId } = hold.order;
      if (hold.microcredits === 0) continue;
      const accountHolds = byAccount.get(accountId) ?? new Map<string, Hold>();
      byAccount.set(accountId, accountHolds.set(requestId, accountHolds.get(requestId) ?? hold));
    }
    for (const [accountId, holds] of byAccount) this.#retakeOf(accountId, [...holds.values()]);
  }

  /** Returns the hold as far as it is taken again. */
  of({ order }: Hold): Hold {
    return this.#holds.get(order.requestId) ?? { order, microcredits: 0 };
  }

  end(requestId: string): void {
    const hold = this.#holds.get(requestId);
    if (!hold) return;
    this.#holds.delete(requestId);
    hold.book.balances.void(hold);
    hold.book.uses -= 1;
  }

  #retakeOf(accountId: string, holds: readonly Hold[]): void {
    const book = this.#books.of(accountId);
    if (book.balances.covers(holds)) return;
    for (const { order, microcredits } of holds) {
      const hold = new OpenHold(order, microcredits, book);
      book.balances.restore(hold);
      this.#holds.set(order.requestId, hold);
    }
  }

  *#kept(): Iterable<Hold> {
    for (const page of holdPages(this.#connection))
      for (const { hold } of page) if (hold) yield hold.posting.hold;
  }
}
