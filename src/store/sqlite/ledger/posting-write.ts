import type { Charge, SpentAmounts } from '../../../money/ledger/charge.ts';
import { chargedReceipt } from '../../../money/ledger/charged-receipt.ts';
import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import type { HoldOrder } from '../../../money/ledger/hold.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import type { ShortfallCount } from '../../../money/ledger/shortfall.ts';
import { finishItem } from '../batches/items.ts';
import { insertShortfall } from '../insert-shortfall.ts';
import { insertResponse } from '../responses/responses.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { addEntry, openPeriod } from './chain.ts';
import type { PlacedEntry } from './entries.ts';
import { EntryWrite } from './entry-write.ts';
import { deleteHold } from './hold-rows.ts';
import type { OpenBook } from './open-book.ts';
import type { OpenHold } from './open-hold.ts';

/** Receives each posting that is written. */
export type PostingWatchers = { shortfalls: ShortfallCount; spent(book: OpenBook, order: HoldOrder): void };

/** Charges a request: in memory immediately, and durably when the write succeeds. */
export class PostingWrite extends EntryWrite {
  readonly #hold: OpenHold;
  readonly #posting: Posting;
  readonly #charged: Charge;
  readonly #spent: SpentAmounts;
  readonly #watchers: PostingWatchers;
  /** The size of the write. It is undefined for a batch item, since other changes also affect its row. */
  override readonly bytes: number | undefined;

  constructor(hold: OpenHold, posting: Posting, watchers: PostingWatchers) {
    const { book } = hold;
    const { balances } = book;
    hold.oweNothing();
    const charged = balances.charge(hold, posting.costMicrocredits, maxCharge(posting));
    super(book, (connection) => {
      if (hold.isKept) deleteHold(connection, hold.order.requestId);
      return writePosting(connection, book, { posting, charged });
    });
    this.#hold = hold;
    this.#posting = posting;
    this.#charged = charged;
    this.#spent = spentOn(posting, charged);
    this.#watchers = watchers;
    this.bytes = posting.job ? undefined : lengthOf(posting);
    balances.post(hold, this.#spent);
    hold.isOpen = false;
  }

  override onWritten(): void {
    super.onWritten();
    const { order, book } = this.#hold;
    const { shortfalls, spent } = this.#watchers;
    if (isPosted(this.entries)) {
      book.balances.onWritten(order, this.#spent);
      this.#posting.chargedMicrocredits = this.#charged.microcredits;
      countShortfall(shortfalls, this.#posting, this.#charged);
      spent(book, order);
      if (order.pays === 'monthly') book.opened.add(order.period.id);
    } else book.balances.unspend(order, this.#spent);
    book.uses -= 1;
  }

  override onFailure(): void {
    super.onFailure();
    this.book.balances.unpost(this.#hold, this.#spent);
    this.#hold.isOpen = true;
    this.#hold.owe(this.#charged.microcredits);
  }
}

/** The size of the response stored with the posting, which can be megabytes. */
const lengthOf = ({ response }: Posting): number =>
  response ? response.envelope.length + response.turn.input.length + response.turn.output.length : 0;

/** Returns no entries if the request already has one, or if the batch item's attempt no longer counts. */
export function writePosting(
  connection: SqliteConnection,
  book: OpenBook,
  { posting, charged }: { posting: Posting; charged: Charge },
): PlacedEntry[] {
  const { hold, response, job } = posting;
  const { accountId, at, requestId, pays, period } = hold.order;
  if (job && !finishItem(connection, job)) return [];
  const isOpen = pays !== 'monthly' || book.opened.has(period.id);
  const renewal = isOpen ? [] : openPeriod(connection, book, period);
  const written = addEntry(connection, book, {
    id: usageEntryId(requestId),
    accountId,
    at,
    kind: 'usage',
    period: pays === 'purchased' ? PURCHASED : period.id,
    microcredits: charged.microcredits,
    receipt: chargedReceipt(posting, charged),
    reason: null,
  });
  if (written.length > 0 && charged.bound) addShortfall(connection, posting, charged);
  if (written.length > 0 && response) insertResponse(connection, accountId, response);
  return isOpen ? written : [...renewal, ...written];
}

function addShortfall(
  connection: SqliteConnection,
  { hold, costMicrocredits }: Posting,
  { microcredits }: Charge,
): void {
  const { requestId, accountId, at } = hold.order;
  const missing = costMicrocredits - microcredits;
  insertShortfall(connection, { entryId: usageEntryId(requestId), accountId, at, microcredits: missing });
}

/** Reports whether the usage entry of a posting was written. It is then the last one. */
export const isPosted = (entries: readonly PlacedEntry[]): boolean => entries.at(-1)?.entry.kind === 'usage';

/** Returns the most that may be charged. Purchased credit with budgets is charged up to the hold. */
export const maxCharge = ({ hold: { order }, receipt }: Posting): number =>
  order.isBudgeted && order.pays === 'purchased' ? receipt.heldMicrocredits : Number.POSITIVE_INFINITY;

export const spentOn = (
  { receipt: { tokens } }: Posting,
  { microcredits, keyMicrocredits }: Charge,
): SpentAmounts => ({ microcredits, keyMicrocredits, tokens: tokens.input + tokens.output });

/** Counts the shortfall of a written posting. */
export function countShortfall(
  shortfalls: ShortfallCount,
  { costMicrocredits }: Posting,
  { microcredits, bound }: Charge,
): void {
  if (bound) shortfalls.add(bound, costMicrocredits - microcredits);
}
