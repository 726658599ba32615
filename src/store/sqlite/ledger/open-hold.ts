import type { JobPlace } from '../../../base/jobs/job.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { OpenBook } from './books.ts';

/** A hold of this process: it is posted or voided once. */
export class OpenHold implements Hold {
  readonly order: HoldOrder;
  readonly microcredits: number;
  readonly book: OpenBook;
  isOpen = true;
  /** It has a row in `open_hold`. */
  isKept = false;
  /** The item that it is for, once that is with a provider: whatever is written down of the hold says so. */
  away: JobPlace | undefined;
  /** When it is about to be posted, or was. */
  posted: Promise<void> | undefined;

  constructor(order: HoldOrder, microcredits: number, book: OpenBook) {
    this.order = order;
    this.microcredits = microcredits;
    this.book = book;
    book.uses += 1;
  }

  /** The rest is of no use to another process. */
  toJSON(): Hold {
    return { order: this.order, microcredits: this.microcredits };
  }
}
