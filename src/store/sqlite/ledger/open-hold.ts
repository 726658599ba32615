import type { JobIdentity } from '../../../base/jobs/job.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { OpenBook } from './open-book.ts';

/** A hold of this process. It is posted or voided once. */
export class OpenHold implements Hold {
  readonly order: HoldOrder;
  readonly microcredits: number;
  readonly book: OpenBook;
  isOpen = true;
  /** The hold has a row in `open_hold`. */
  isKept = false;
  /** The row has output, which a crash bills. */
  hasOutput = false;
  /** The batch item of the hold, once the item is at a provider. Every checkpoint of the hold includes it. */
  away: JobIdentity | undefined;
  /** The pending or completed posting. */
  posted: Promise<void> | undefined;

  /**
   * The monthly credits of a posting that could not be written.
   * The spool has it, until it is posted again or voided.
   */
  #owed = 0;

  constructor(order: HoldOrder, microcredits: number, book: OpenBook) {
    this.order = order;
    this.microcredits = microcredits;
    this.book = book;
    book.uses += 1;
  }

  owe(microcredits: number): void {
    this.#owed += microcredits;
    this.book.balances.addUnwritten(this.order, microcredits);
  }

  oweNothing(): void {
    if (this.#owed > 0) this.owe(-this.#owed);
  }

  /** Omits fields that are useless in another process. */
  toJSON(): Hold {
    return { order: this.order, microcredits: this.microcredits };
  }
}
