import type { Charge } from '../../../money/ledger/charge.ts';
import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import type { HoldCheckpoint, Posting, RecoveredHolds } from '../../../money/ledger/ledger-store.ts';
import { UnreadableEntry } from '../../../money/ledger/refuse-unreadable.ts';
import { recoveredReceipt } from '../../ledger/recovered-receipt.ts';
import { isItemAway } from '../batches/items.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import type { Books } from './books.ts';
import { EntryWrite } from './entry-write.ts';
import { deleteHold, holdPages } from './hold-rows.ts';
import type { KeptEntries } from './kept-entries.ts';
import type { OpenBook } from './open-book.ts';
import { OpenHold } from './open-hold.ts';
import { OwedHolds } from './owed-holds.ts';
import {
  countShortfall,
  isPosted,
  maxCharge,
  type PostingWatchers,
  spentOn,
  writePosting,
} from './posting-write.ts';
import type { Quarantines } from './quarantines.ts';
import { UnclaimedHolds } from './unclaimed-holds.ts';

export type LeftHoldsParts = {
  connection: SqliteConnection;
  writer: GroupCommitWriter;
  books: Books;
  entries: KeptEntries;
  quarantines: Quarantines;
  watchers: PostingWatchers;
};

/** Charges, restores or voids the holds that an earlier process left. */
export class LeftHolds {
  readonly #parts: LeftHoldsParts;
  readonly #unclaimed = new UnclaimedHolds();
  readonly #owed: OwedHolds;

  constructor(parts: LeftHoldsParts) {
    this.#parts = parts;
    this.#owed = new OwedHolds(parts.connection, parts.books);
  }

  /** Posts the charges of the spool. */
  async replay(postings: readonly Posting[]): Promise<void> {
    this.#retakeOwed(postings.map(({ hold }) => hold));
    for (const posting of postings) await this.post(posting);
  }

  /** Restores the holds of items at providers, and ends all others. */
  async recover(): Promise<RecoveredHolds> {
    this.#retakeOwed([]);
    const recovered = { billed: 0, voided: 0, damaged: 0 };
    for (const page of holdPages(this.#parts.connection)) {
      const holds = page.flatMap(({ hold }) => hold ?? []);
      recovered.damaged += page.length - holds.length;
      const over = holds.filter((hold) => !this.#restore(hold));
      await Promise.all(over.map((hold) => this.#end(hold)));
      for (const { produced } of over) recovered[produced ? 'billed' : 'voided'] += 1;
    }
    const { damaged, ...ended } = recovered;
    return damaged > 0 ? recovered : ended;
  }

  /** Returns the posting of an item at a provider once. */
  reclaim(requestId: string): Posting | undefined {
    return this.#unclaimed.take(requestId);
  }

  /** Returns the postings of a batch that were not reclaimed. */
  reclaimAll(batch: number): Posting[] {
    return this.#unclaimed.takeAll(batch);
  }

  /** Posts a charge whose hold ended with its process. */
  async post(posting: Posting): Promise<void> {
    const { books, entries: kept, writer } = this.#parts;
    const { hold, costMicrocredits } = posting;
    const { requestId, accountId } = hold.order;
    const isKept = await kept.has(usageEntryId(requestId));
    const book = books.of(accountId);
    const charged = book.balances.charge(this.#owed.of(hold), costMicrocredits, maxCharge(posting));
    this.#owed.end(requestId);
    if (isKept) return writer.write((connection) => deleteHold(connection, requestId));
    await this.#charge(book, posting, charged);
  }

  async #charge(book: OpenBook, posting: Posting, charged: Charge): Promise<void> {
    const { writer, watchers, quarantines } = this.#parts;
    const { order } = posting.hold;
    const spent = spentOn(posting, charged);
    book.balances.spend(order, spent);
    const write = new EntryWrite(book, (connection) => {
      deleteHold(connection, order.requestId);
      return writePosting(connection, book, { posting, charged });
    });
    try {
      await writer.change(write);
      if (isPosted(write.entries)) {
        book.balances.onWritten(order, spent);
        countShortfall(watchers.shortfalls, posting, charged);
        watchers.spent(book, order);
      } else book.balances.unspend(order, spent);
    } catch (error) {
      book.balances.unspend(order, spent);
      if (!(error instanceof UnreadableEntry)) throw error;
      const reason = `What its request ${order.requestId} used cannot be written: ${error.message}.`;
      quarantines.add(order.accountId, reason);
    }
  }

  #retakeOwed(spooled: readonly Hold[]): void {
    withSqliteProblems(this.#parts.connection.path, () => this.#owed.restore(spooled));
  }

  /** Restores the hold of an item at a provider. Returns false if no provider has the item. */
  #restore({ posting, away }: HoldCheckpoint): boolean {
    const { connection, books } = this.#parts;
    if (!away || !withSqliteProblems(connection.path, () => isItemAway(connection, away))) return false;
    const { order, microcredits } = posting.hold;
    this.#owed.end(order.requestId);
    const book = books.of(order.accountId);
    const hold = new OpenHold(order, microcredits, book);
    Object.assign(hold, { isKept: true, away });
    book.balances.restore(hold);
    this.#unclaimed.add({ ...posting, hold }, away);
    return true;
  }

  async #end({ posting, produced }: HoldCheckpoint): Promise<void> {
    if (produced) return this.post({ ...posting, receipt: recoveredReceipt(posting.receipt) });
    const { requestId } = posting.hold.order;
    this.#owed.end(requestId);
    await this.#parts.writer.write((connection) => deleteHold(connection, requestId));
  }
}
