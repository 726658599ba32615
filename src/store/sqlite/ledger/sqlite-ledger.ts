import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { Clock } from '../../../base/lib/clock.ts';
import type { MaybeLater } from '../../../base/lib/maybe-later.ts';
import type { Entry, WrittenEntry } from '../../../money/ledger/entry.ts';
import type { Hold, HoldOrder, Shortage } from '../../../money/ledger/hold.ts';
import type { KeyAt } from '../../../money/ledger/key-months.ts';
import type {
  ArchivedEntries,
  Quarantine,
  RepairedAccount,
  RepairOrder,
  VerifiedAccount,
} from '../../../money/ledger/ledger-care.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type {
  AccountBalances,
  EntryPage,
  GiveOptions,
  HoldCheckpoint,
  LedgerStore,
  PeriodBalances,
  Posting,
  RecoveredHolds,
  UsageQuestion,
  UsageSum,
} from '../../../money/ledger/ledger-store.ts';
import type { Period } from '../../../money/ledger/period.ts';
import { ShortfallCount, type ShortfallSums } from '../../../money/ledger/shortfall.ts';
import type { SpendWatch } from '../../../money/ledger/spend-watch.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import { Books } from './books.ts';
import { openPeriod } from './chain.ts';
import { Deliveries } from './deliveries.ts';
import { EntryWrite } from './entry-write.ts';
import { giveCredit } from './give-credit.ts';
import { deleteHold } from './hold-rows.ts';
import { KeptEntries } from './kept-entries.ts';
import { LedgerArchive } from './ledger-archive.ts';
import { LeftHolds } from './left-holds.ts';
import type { OpenBook } from './open-book.ts';
import { OpenHold } from './open-hold.ts';
import { type PostingWatchers, PostingWrite } from './posting-write.ts';
import { Quarantines } from './quarantines.ts';
import { RunningSums } from './running-sums.ts';
import { SqliteBudgets } from './sqlite-budgets.ts';
import { SqliteLedgerCare } from './sqlite-ledger-care.ts';
import { selectUsage } from './usage-sums.ts';
import { writeCheckpoints } from './write-checkpoints.ts';

/** The interval at which balances and roll-ups are written. A start recomputes what a crash lost. */
const SUMS_PAUSE_MS = 5_000;
/** The interval of delivery passes. A crash leaves the deliveries of the last two intervals unknown. */
const DELIVERIES_PAUSE_MS = 1_000;

/**
 * One process owns the file, so the balances of accounts in use are kept in memory. A hold is decided there
 * and costs no write. The usage of a request and its entry are written in one transaction. A crash loses
 * holds newer than the last checkpoint.
 */
export class SqliteLedger implements LedgerStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;
  readonly #sums: RunningSums;
  readonly #books: Books;
  readonly #archive: LedgerArchive;
  readonly #entries: KeptEntries;
  readonly #deliveries: Deliveries;
  readonly #shortfalls = new ShortfallCount();
  /** Entries that are being given, by their ids. */
  readonly #giving = new Map<string, Promise<boolean>>();
  readonly #quarantines: Quarantines;
  readonly #care: SqliteLedgerCare;
  readonly budgets: SqliteBudgets;
  readonly #timers: readonly Timer[];
  /** Ids of voided requests whose rows in `open_hold` could not be deleted yet. */
  readonly #ended = new Set<string>();
  readonly #left: LeftHolds;
  #spendWatch: SpendWatch | undefined;
  readonly #watchers: PostingWatchers = {
    shortfalls: this.#shortfalls,
    spent: (book, order) => this.#reportSpending(book, order, null),
  };

  constructor(connection: SqliteConnection, writer: GroupCommitWriter, clock: Clock) {
    this.#connection = connection;
    this.#writer = writer;
    this.#sums = new RunningSums(connection);
    this.#books = new Books(this.#sums);
    this.#deliveries = new Deliveries(connection, this.#sums.lastNumber);
    this.#quarantines = new Quarantines(connection, writer, clock);
    this.#archive = new LedgerArchive(connection);
    const parts = {
      connection,
      sums: this.#sums,
      archive: this.#archive,
      deliveries: this.#deliveries,
      quarantines: this.#quarantines,
      rules: this.#sums.budgets,
    };
    this.#entries = new KeptEntries(parts);
    const writing = { ...parts, writer, books: this.#books };
    this.#left = new LeftHolds({ ...writing, entries: this.#entries, watchers: this.#watchers });
    this.#care = new SqliteLedgerCare(writing);
    this.budgets = new SqliteBudgets(writing);
    for (const { row, accountId } of this.#sums.unreadable) this.#entries.quarantineFor(row, accountId);
    this.#timers = [
      setInterval(() => this.#passDeliveries(), DELIVERIES_PAUSE_MS),
      setInterval(() => this.#writeSums(), SUMS_PAUSE_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Closes with all charges in the sums. If the write fails, the next start recovers as after a crash. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    try {
      // Waits for all pending writes. An entry is in the sums once it is written.
      await this.#writer.write(() => {});
      this.#sums.save();
      this.#deliveries.confirm(this.#sums.lastSummed);
    } catch {
      // The next start recovers, as described above.
    }
  }

  balances(accountId: string, period: Period): AccountBalances {
    return this.#read(() => this.#books.of(accountId).balances.balancesOf(period.id));
  }

  recentBalances(accountId: string, period: Period): PeriodBalances {
    return this.balances(accountId, period);
  }

  tokensOn(accountId: string, at: number): number {
    return this.#read(() => this.#books.of(accountId).balances.dayTokens(at));
  }

  keySpent(accountId: string, of: KeyAt): number {
    return this.#read(() => this.#books.of(accountId).balances.spentOf(of));
  }

  afford(order: HoldOrder): number | Shortage {
    return this.#read(() => this.#bookOf(order.accountId).balances.affordableHold(order));
  }

  hold(order: HoldOrder): Hold | Shortage {
    return this.#read(() => {
      const book = this.#bookOf(order.accountId);
      const held = book.balances.hold(order);
      if (typeof held === 'number') return new OpenHold(order, held, book);
      this.#reportSpending(book, order, held);
      return held;
    });
  }

  /** Resolves when the row of a hold with output is deleted, so that no crash bills it afterwards. */
  void(hold: Hold): MaybeLater<void> {
    if (!(hold instanceof OpenHold && hold.isOpen)) return;
    const { order, book } = hold;
    hold.isOpen = false;
    hold.posted = undefined;
    hold.oweNothing();
    book.balances.void(hold);
    book.uses -= 1;
    if (!hold.isKept) return;
    // If this fails, the next checkpoint deletes the row, so that no start bills the output so far.
    const deleted = this.#writer
      .write((connection) => deleteHold(connection, order.requestId))
      .catch(() => void this.#ended.add(order.requestId));
    if (hold.hasOutput) return deleted;
  }

  post(posting: Posting): Promise<void> {
    const { hold } = posting;
    if (!(hold instanceof OpenHold)) return this.#left.post(posting);
    if (hold.isOpen) hold.posted = this.#writer.change(new PostingWrite(hold, posting, this.#watchers));
    return hold.posted ?? Promise.resolve();
  }

  watchSpending(watch: SpendWatch): void {
    this.#spendWatch = watch;
  }

  onShortfall(observe: () => void): void {
    this.#shortfalls.onAdded = observe;
  }

  get shortfalls(): ShortfallSums {
    return this.#shortfalls.sums;
  }

  replay(postings: readonly Posting[]): Promise<void> {
    return this.#left.replay(postings);
  }

  async checkpoint(holds: readonly HoldCheckpoint[]): Promise<void> {
    // A request that holds credit again had ended before.
    for (const { posting } of holds) this.#ended.delete(posting.hold.order.requestId);
    const ended = [...this.#ended];
    if (holds.length === 0 && ended.length === 0) return;
    await this.#writer.write((connection) => writeCheckpoints(connection, { holds, ended }));
    for (const requestId of ended) this.#ended.delete(requestId);
  }

  recoverHolds(): Promise<RecoveredHolds> {
    return this.#left.recover();
  }

  reclaim(requestId: string): Posting | undefined {
    return this.#left.reclaim(requestId);
  }

  voidUnclaimed(batch: number): void {
    for (const { hold } of this.#left.reclaimAll(batch)) this.void(hold);
  }

  /** An entry that is given twice at once counts once. The second call gets the result of the first one. */
  give(entry: Entry, options?: GiveOptions): Promise<boolean> {
    const underWay = this.#giving.get(entry.id);
    if (underWay) return underWay;
    const giving = this.#giveOnce(entry, options).finally(() => this.#giving.delete(entry.id));
    this.#giving.set(entry.id, giving);
    return giving;
  }

  async #giveOnce(entry: Entry, options?: GiveOptions): Promise<boolean> {
    if (this.#archive.upTo > 0 && (await this.#entries.isArchived(entry.id))) return true;
    const book = this.#bookOf(entry.accountId);
    if (!book.balances.canGive(entry.period, entry.microcredits, options)) return this.#entries.has(entry.id);
    return giveCredit(this.#writer, { book, entry, audit: options?.audit, watch: this.#spendWatch });
  }

  async openPeriod(accountId: string, period: Period): Promise<void> {
    const book = this.#bookOf(accountId);
    if (book.opened.has(period.id)) return;
    await this.#writer.change(new EntryWrite(book, (connection) => openPeriod(connection, book, period)));
    book.opened.add(period.id);
  }

  listEntries(page: EntryPage) {
    return this.#entries.list(page);
  }

  findEntry(id: string): Promise<WrittenEntry | undefined> {
    return this.#entries.find(id);
  }

  async sumUsage(question: UsageQuestion): Promise<UsageSum[]> {
    return this.#read(() => {
      this.#sums.write(question.accountId);
      return selectUsage(this.#connection, question);
    });
  }

  ledgerAccounts(page: { limit: number; after?: string | undefined }): Promise<string[]> {
    return this.#care.ledgerAccounts(page);
  }

  lastEntry(): number {
    return this.#care.lastEntry();
  }

  verifyAccount(accountId: string, upTo?: number): Promise<VerifiedAccount> {
    return this.#care.verifyAccount(accountId, upTo);
  }

  verifyStore(counted: { upTo: number; entries: number }): Promise<LedgerFault[]> {
    return this.#care.verifyStore(counted);
  }

  quarantineOf(accountId: string): Quarantine | undefined {
    return this.#care.quarantineOf(accountId);
  }

  quarantined(): readonly Quarantine[] {
    return this.#care.quarantined();
  }

  onQuarantine(listener: (quarantine: Quarantine) => void): void {
    this.#care.onQuarantine(listener);
  }

  repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined> {
    return this.#care.repairAccount(order);
  }

  repairStore(): Promise<{ removedHolds: number }> {
    return this.#care.repairStore();
  }

  archiveEntries(order: { before: number }): Promise<ArchivedEntries | undefined> {
    return this.#care.archiveEntries(order);
  }

  readonly writeSumsOf = (accountId: string): void => this.#sums.write(accountId);

  /** Returns the book of an account that is not in quarantine. */
  #bookOf(accountId: string): OpenBook {
    if (this.#quarantines.of(accountId)) throw new AccountQuarantined(accountId);
    return this.#books.of(accountId);
  }

  #reportSpending({ balances }: OpenBook, order: HoldOrder, refused: Shortage | null): void {
    const spending = balances.spendingOf(order, refused?.shortage ?? null);
    const budgets = refused?.budgets;
    this.#spendWatch?.spent(budgets ? { ...spending, budgets } : spending);
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }

  #passDeliveries(): void {
    try {
      this.#deliveries.pass(this.#sums.lastSummed);
    } catch {
      // The next pass tries again.
    }
  }

  /** The sums may lag, so a failed write is left to the next round. */
  #writeSums(): void {
    try {
      if (this.#sums.writeSome()) setImmediate(() => this.#writeSums());
    } catch {
      // Writers of entries meet and report the same problem.
    }
  }
}
