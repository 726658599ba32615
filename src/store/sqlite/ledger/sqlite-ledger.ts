import type { Entry, WrittenEntry } from '../../../ledger/entry.ts';
import { usageEntryId } from '../../../ledger/entry-id.ts';
import { hashEntry } from '../../../ledger/hash-entry.ts';
import type { Hold, HoldOrder, Shortage } from '../../../ledger/hold.ts';
import type { KeyOfMonth } from '../../../ledger/key-months.ts';
import type {
  AccountBalances,
  EntryPage,
  HoldCheckpoint,
  LedgerStore,
  Posting,
  RecoveredHolds,
  UsageQuestion,
  UsageSum,
} from '../../../ledger/ledger-store.ts';
import { type Period, PURCHASED } from '../../../ledger/period.ts';
import { renewalEntry } from '../../../ledger/renewal-entry.ts';
import { dayOf } from '../../../ledger/token-day.ts';
import { finishItem } from '../batches/items.ts';
import type { Connection } from '../connection.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import { insertResponse } from '../responses.ts';
import { sqliteProblem, withSqliteProblems } from '../sqlite-problem.ts';
import { Books, type Head, type OpenBook } from './books.ts';
import { addToBucket, hasCycles, openBucket } from './buckets.ts';
import { hasEntry, insertEntry, selectEntries, selectEntry, selectLedgerAccounts } from './entries.ts';
import { deleteHold, saveHold, selectHolds } from './open-holds.ts';
import { addDayTokens } from './token-days.ts';
import { addUsage, selectUsage } from './usage-sums.ts';
import { verifyAccount } from './verify-account.ts';

/** Holds of one transaction of a recovery. */
const HOLDS_AT_A_TIME = 200;

/**
 * One process owns the file, so balances of accounts in use stand in memory: a hold is decided there and costs no write, and what a request
 * used is written in one transaction with its entry. A crash forgets holds that are younger than the last checkpoint.
 */
export class SqliteLedger implements LedgerStore {
  readonly #connection: Connection;
  readonly #writer: GroupCommitWriter;
  readonly #books: Books;
  /** Ids of requests that hold something and are not about to be posted. */
  readonly #open = new Set<string>();
  /** Of requests that are about to be. */
  readonly #posting = new Map<string, Promise<void>>();
  /** Ids of requests with a row in `open_hold`. */
  readonly #saved = new Set<string>();
  /** Of these, requests that ended without a trace, while the row could not be removed. */
  readonly #ended = new Set<string>();

  constructor(connection: Connection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
    this.#books = new Books(connection);
  }

  balances(accountId: string, period: Period): AccountBalances {
    return this.#read(() => {
      const { balances } = this.#books.of(accountId);
      const { used, granted } = balances.bucket(period.id);
      const purchased = balances.bucket(PURCHASED);
      return {
        usedMicrocredits: used,
        grantedMicrocredits: granted,
        purchasedMicrocredits: purchased.granted - purchased.used,
      };
    });
  }

  tokensOn(accountId: string, at: number): number {
    return this.#read(() => this.#books.of(accountId).balances.dayTokens(at));
  }

  keySpent(accountId: string, of: KeyOfMonth): number {
    return this.#read(() => this.#books.of(accountId).balances.spentOf(of));
  }

  afford(order: HoldOrder): number | Shortage {
    return this.#read(() => this.#books.of(order.accountId).balances.afford(order));
  }

  hold(order: HoldOrder): Hold | Shortage {
    return this.#read(() => {
      const book = this.#books.of(order.accountId);
      const held = book.balances.hold(order);
      if ('shortage' in held) return held;
      book.uses += 1;
      this.#open.add(order.requestId);
      return held;
    });
  }

  void(hold: Hold): void {
    const { accountId, requestId } = hold.order;
    if (!this.#open.delete(requestId)) return;
    const book = this.#books.of(accountId);
    book.balances.void(hold);
    book.uses -= 1;
    if (!this.#saved.delete(requestId)) return;
    // Where this fails the next sweep does it: the next start would bill what had been produced by then.
    this.#writer
      .write((connection) => deleteHold(connection, requestId))
      .catch(() => this.#ended.add(requestId));
  }

  async post(posting: Posting): Promise<void> {
    const { requestId } = posting.hold.order;
    if (!this.#open.delete(requestId)) return this.#posting.get(requestId);
    const posted = this.#post(posting).finally(() => this.#posting.delete(requestId));
    this.#posting.set(requestId, posted);
    return posted;
  }

  async replay(postings: readonly Posting[]): Promise<void> {
    for (const posting of postings) {
      await this.#writer.write((connection) => this.#writeUnheld(connection, posting));
    }
  }

  async #post(posting: Posting): Promise<void> {
    const { hold, costMicrocredits } = posting;
    const book = this.#books.of(hold.order.accountId);
    const charged = book.balances.chargeable(hold, costMicrocredits);
    const spent = { microcredits: charged, tokens: tokensOf(posting) };
    book.balances.post(hold, spent);
    try {
      const isNew = await this.#write(book, (connection) => this.#writePosting(connection, posting, charged));
      if (!isNew) book.balances.unspend(hold.order, spent);
      if (hold.order.pays === 'monthly') book.opened.add(hold.order.period.id);
      this.#saved.delete(hold.order.requestId);
      book.uses -= 1;
    } catch (error) {
      book.balances.unpost(hold, spent);
      this.#open.add(hold.order.requestId);
      throw error;
    }
  }

  async checkpoint(holds: readonly HoldCheckpoint[]): Promise<void> {
    const ended = [...this.#ended];
    if (holds.length === 0 && ended.length === 0) return;
    await this.#writer.write((connection) => {
      for (const requestId of ended) deleteHold(connection, requestId);
      for (const checkpoint of holds) {
        const { requestId } = checkpoint.posting.hold.order;
        if (!this.#open.has(requestId)) continue; // it has ended since
        saveHold(connection, checkpoint);
        this.#saved.add(requestId);
      }
    });
    for (const requestId of ended) this.#ended.delete(requestId);
  }

  async recoverHolds(): Promise<RecoveredHolds> {
    const recovered = { billed: 0, voided: 0 };
    for (;;) {
      const holds = await this.#writer.write((connection) => this.#endHolds(connection));
      for (const { produced } of holds) recovered[produced ? 'billed' : 'voided'] += 1;
      if (holds.length < HOLDS_AT_A_TIME) return recovered;
    }
  }

  async give(entry: Entry): Promise<boolean> {
    const { accountId, period, microcredits } = entry;
    const book = this.#books.of(accountId);
    if (!book.balances.canTake(period, -microcredits)) return false;
    const bucket = book.balances.bucket(period);
    // What is taken is gone at once, and what is given is there when it is written.
    if (microcredits < 0) bucket.granted += microcredits;
    book.uses += 1;
    try {
      const isNew = await this.#write(book, (connection) => {
        const head = addEntry(connection, book, entry);
        if (!head) return false;
        addToBucket(connection, { accountId, period, granted: microcredits, used: 0 });
        book.head = head;
        return true;
      });
      if (isNew === microcredits > 0) bucket.granted += isNew ? microcredits : -microcredits;
      return true;
    } catch (error) {
      if (microcredits < 0) bucket.granted -= microcredits;
      throw error;
    } finally {
      book.uses -= 1;
    }
  }

  async openPeriod(accountId: string, period: Period): Promise<void> {
    const book = this.#books.of(accountId);
    if (book.opened.has(period.id)) return;
    await this.#write(book, (connection) => openPeriod(connection, book, period));
    book.opened.add(period.id);
  }

  async listEntries(page: EntryPage) {
    const { limit } = page;
    const found = this.#read(() => selectEntries(this.#connection, { ...page, limit: limit + 1 }));
    return found && { items: found.slice(0, limit), hasMore: found.length > limit };
  }

  async findEntry(id: string): Promise<WrittenEntry | undefined> {
    return this.#read(() => selectEntry(this.#connection, id));
  }

  async sumUsage(question: UsageQuestion): Promise<UsageSum[]> {
    return this.#read(() => selectUsage(this.#connection, question));
  }

  async ledgerAccounts({
    limit,
    after = '',
  }: {
    limit: number;
    after?: string | undefined;
  }): Promise<string[]> {
    return this.#read(() => selectLedgerAccounts(this.#connection, { limit, after }));
  }

  async verifyAccount(accountId: string) {
    try {
      return await verifyAccount(this.#connection, accountId);
    } catch (error) {
      throw sqliteProblem(error, this.#connection.path) ?? error;
    }
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }

  /** A write that may move the account's head: where it is rolled back nobody knows any more where the chain ends. */
  async #write<T>(book: OpenBook, job: (connection: Connection) => T): Promise<T> {
    const forgetHead = (error: unknown): never => {
      book.head = undefined;
      throw error;
    };
    const written = this.#writer.write((connection) => {
      try {
        return job(connection);
      } catch (error) {
        return forgetHead(error);
      }
    });
    return written.catch(forgetHead);
  }

  /** False: the request has its entry already, or was not its batch's any more. */
  #writePosting(connection: Connection, posting: Posting, charged: number): boolean {
    const { hold, receipt, response, job } = posting;
    const { order } = hold;
    const { accountId, at, requestId } = order;
    const period = order.pays === 'purchased' ? PURCHASED : order.period.id;
    const id = usageEntryId(requestId);
    const book = this.#books.of(accountId);
    if (this.#saved.has(requestId)) deleteHold(connection, requestId);
    if (!book.opened.has(order.period.id)) openPeriod(connection, book, order.period);
    const entry = {
      id,
      accountId,
      at,
      kind: 'usage',
      period,
      microcredits: charged,
      receipt,
      reason: null,
    } as const;
    if (job && !finishItem(connection, job)) return false;
    if (order.pays === 'monthly' && !book.opened.has(period)) openPeriod(connection, book, order.period);
    const head = addEntry(connection, book, entry);
    if (!head) return false;
    addToBucket(connection, { accountId, period, granted: 0, used: charged });
    addUsage(connection, { accountId, at, receipt, microcredits: charged });
    if (order.tokensPerDay !== null)
      addDayTokens(connection, { accountId, day: dayOf(at), tokens: tokensOf(posting) });
    if (response) insertResponse(connection, response);
    book.head = head;
    return true;
  }

  #endHolds(connection: Connection): HoldCheckpoint[] {
    const holds = selectHolds(connection, HOLDS_AT_A_TIME);
    for (const { posting, produced } of holds) {
      const receipt = { ...posting.receipt, outcome: 'recovered', isEstimated: true } as const;
      if (produced) this.#writeUnheld(connection, { ...posting, receipt });
      else deleteHold(connection, posting.hold.order.requestId);
    }
    return holds;
  }

  /** Of a request whose hold ended with its process. */
  #writeUnheld(connection: Connection, posting: Posting): void {
    const { hold, costMicrocredits } = posting;
    const { requestId, accountId } = hold.order;
    deleteHold(connection, requestId);
    if (hasEntry(connection, usageEntryId(requestId))) return;
    const { balances } = this.#books.of(accountId);
    const charged = balances.chargeable({ ...hold, microcredits: 0 }, costMicrocredits);
    // First: a balance that is not in memory yet would be read with what is written here, and count it twice.
    balances.spend(hold.order, { microcredits: charged, tokens: tokensOf(posting) });
    this.#writePosting(connection, posting, charged);
  }
}

/**
 * Where the chain ends with the entry; undefined: it is there already. The book takes the new end when nothing of its job can fail any
 * more: the next job of the same transaction goes on from it.
 */
function addEntry(connection: Connection, book: OpenBook, entry: Entry): Head | undefined {
  const { sequence, hash: previous } = book.headIn(connection);
  const next = { sequence: sequence + 1, hash: hashEntry(entry, sequence + 1, previous) };
  return insertEntry(connection, { ...entry, ...next }) ? next : undefined;
}

/** Writes down that a period has begun. */
function openPeriod(connection: Connection, book: OpenBook, period: Period): void {
  const { accountId } = book;
  const isRenewal = period.endsAt !== null && hasCycles(connection, accountId);
  if (!openBucket(connection, { accountId, period: period.id }) || !isRenewal) return;
  book.head = addEntry(connection, book, renewalEntry(accountId, period)) ?? book.head;
}

const tokensOf = ({ receipt: { tokens } }: Posting): number => tokens.input + tokens.output;
