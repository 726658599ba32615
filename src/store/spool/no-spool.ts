import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';

/** The spool of a node without a durable disk. An answer that the store cannot settle ends with an error. */
export class NoSpool implements PostingSpool {
  readonly isRefusing = true;
  readonly waiting: ReadonlyMap<string, Posting> = new Map();

  async append(): Promise<void> {
    throw new Unavailable(
      'The store took no settlement, and `store.spool` is `refuse`',
      'see the log for the reason',
    );
  }

  async remove(): Promise<void> {}
}
