import type { Budget } from '../../../money/budgets/budget.ts';
import type { BinSpend } from '../../../money/budgets/budget-counters.ts';
import type { CalendarMonth } from '../../../money/ledger/calendar-month.ts';
import type { Entry } from '../../../money/ledger/entry.ts';
import type { DayTokens } from '../../../money/ledger/token-day.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import type { SpendRow } from '../../ledger/spend-rows-of.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { AccountSums } from './account-sums.ts';
import { hasCycles, selectBucket } from './buckets.ts';
import { BudgetRules } from './budget-rules.ts';
import { selectBins } from './budget-spend.ts';
import { type EntryRow, type PlacedEntry, selectLastNumber, selectNumberUpTo } from './entries.ts';
import { selectHead, selectLastHead } from './heads.ts';
import { selectKeyExcess } from './key-excess.ts';
import { type RecomputedSums, recomputeSums, type UnreadableRow } from './recompute-sums.ts';
import { saveSummed, selectSummed } from './summed.ts';
import { selectDayTokens } from './token-days.ts';
import { selectSpent } from './usage-sums.ts';

const ACCOUNTS_AT_A_TIME = 100;

/**
 * The balances, roll-ups and heads that follow from the entries. A request writes only its entry. The sums
 * are kept here and written to their tables periodically, one account at a time. After a crash they are
 * recomputed.
 */
export class RunningSums implements RecomputedSums {
  readonly #connection: SqliteConnection;
  readonly budgets: BudgetRules;
  readonly #pending = new Map<string, AccountSums>();
  /** Accounts still to write in this round. */
  #round: string[] = [];
  /** The last entry in the sums when the round began. */
  #roundEnd: number;
  /** True if the row of `summed` matches its seal. */
  #isIntact: boolean;
  /** Entries that could not be read during recomputation. */
  readonly unreadable: readonly UnreadableRow[];
  #lastSummed: number;
  /** The number of the last entry being written. The chain advances it. */
  lastNumber: number;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.budgets = new BudgetRules(connection);
    const { number, isIntact } = selectSummed(connection);
    this.#isIntact = isIntact;
    // Numbers of entries in the sums are never used again, even if those entries were removed.
    const summed = isIntact ? number : selectLastHead(connection);
    this.lastNumber = Math.max(selectLastNumber(connection), summed);
    this.#lastSummed = this.lastNumber;
    this.#roundEnd = this.lastNumber;
    // Entries that an account's sums already include are skipped. Starting at the first entry is only slow.
    this.unreadable = recomputeSums(connection, this, isIntact ? number : 0);
    this.writeAll();
    if (!isIntact) saveSummed(connection, { number: this.#lastSummed, isIntact });
  }

  /** The number of the last entry in the sums. */
  get lastSummed(): number {
    return this.#lastSummed;
  }

  /** Adds an entry that is durable. */
  add(placed: PlacedEntry): void {
    const { accountId } = placed.entry;
    this.#pendingOf(accountId).add(placed, this.budgets.of(accountId));
    this.#lastSummed = Math.max(this.#lastSummed, placed.head.number);
  }

  /** Skips an entry that cannot be read. The chain continues after it, and no sum includes it. */
  skip(row: EntryRow, accountId: string): void {
    const { sequence } = this.head(accountId);
    this.#pendingOf(accountId).head = { number: row.number, sequence: sequence + 1, hash: row.hash };
    this.#lastSummed = Math.max(this.#lastSummed, row.number);
  }

  head(accountId: string): ChainHead {
    return this.#pending.get(accountId)?.head ?? selectHead(this.#connection, accountId);
  }

  bucket(accountId: string, period: string): { granted: number; used: number } {
    const stored = selectBucket(this.#connection, { accountId, period });
    const pending = this.#pending.get(accountId)?.bucket(period);
    if (!pending) return stored;
    return { granted: stored.granted + pending.granted, used: stored.used + pending.used };
  }

  /** Returns the amount that counts against the key's cap. */
  spent(accountId: string, keyId: string, month: CalendarMonth): number {
    const charged = selectSpent(this.#connection, { accountId, keyId, ...month });
    const excess = selectKeyExcess(this.#connection, { accountId, keyId, month: month.startsAt });
    return charged - excess + (this.#pending.get(accountId)?.spent(keyId, month) ?? 0);
  }

  /** Returns the bins of one target of a budget. */
  bins(budget: Budget, target: string): BinSpend[] {
    const stored = selectBins(this.#connection, budget, target);
    const pending = this.#pending.get(budget.accountId)?.bins(budget, target) ?? [];
    if (pending.length === 0) return stored;
    const bins = new Map(stored.map(({ bin, used }) => [bin, used]));
    for (const { bin, used } of pending) bins.set(bin, (bins.get(bin) ?? 0) + used);
    return [...bins].map(([bin, used]) => ({ bin, used }));
  }

  /** Counts an entry for a new budget that is in the other sums already. */
  count(budget: Budget, entry: Entry): void {
    this.#pendingOf(budget.accountId).count(budget, entry);
  }

  /** Removes and returns the unwritten amounts of a counter. */
  dropCounter(accountId: string, counter: string): SpendRow[] {
    return this.#pending.get(accountId)?.dropCounter(counter) ?? [];
  }

  /** Adds the amounts that `dropCounter` has returned, in the same turn of the event loop. */
  restoreCounter(accountId: string, rows: readonly SpendRow[]): void {
    this.#pending.get(accountId)?.restoreCounter(rows);
  }

  dayTokens(accountId: string): DayTokens {
    const stored = selectDayTokens(this.#connection, accountId);
    return this.#pending.get(accountId)?.dayTokens(stored) ?? stored;
  }

  hasCycles(accountId: string): boolean {
    const pending = this.#pending.get(accountId)?.periods ?? [];
    return Iterator.from(pending).some(isCycle) || hasCycles(this.#connection, accountId);
  }

  /** Writes the sums of one account before its tables are read. */
  write(accountId: string): void {
    const sums = this.#pending.get(accountId);
    if (!sums) return;
    this.#connection.inOne(() => sums.write(this.#connection, accountId, this.budgets.of(accountId)));
    this.#pending.delete(accountId);
  }

  writeAll(): void {
    while (this.#pending.size > 0) this.writeSome();
  }

  /** Writes all sums, so that the tables include every entry and `summed` records this. */
  save(): void {
    this.writeAll();
    saveSummed(this.#connection, { number: this.#lastSummed, isIntact: this.#isIntact });
  }

  /**
   * Accepts the current content of the tables.
   * Numbers that are still named by an account's head are not used again.
   */
  repair(): void {
    this.#isIntact = true;
    const last = selectNumberUpTo(this.#connection, this.#lastSummed);
    if (selectLastHead(this.#connection) <= last) this.#lastSummed = last;
    this.#roundEnd = Math.min(this.#roundEnd, this.#lastSummed);
    this.save();
  }

  /** Discards pending sums after the account's tables were rewritten. */
  discard(accountId: string): void {
    this.#pending.delete(accountId);
  }

  /**
   * Writes the sums of some accounts, so that other work does not wait long.
   * Returns false if the round is over.
   */
  writeSome(): boolean {
    if (this.#round.length === 0) this.#beginRound();
    const ids = this.#round.slice(-ACCOUNTS_AT_A_TIME);
    if (ids.length === 0) return false;
    const isLast = ids.length === this.#round.length;
    this.#connection.inOne(() => {
      for (const id of ids) this.#pending.get(id)?.write(this.#connection, id, this.budgets.of(id));
      if (isLast) saveSummed(this.#connection, { number: this.#roundEnd, isIntact: this.#isIntact });
    });
    for (const id of ids) this.#pending.delete(id);
    this.#round.length -= ids.length;
    return !isLast;
  }

  /** Begins a round over all pending accounts. They are sorted, so that neighbouring rows share pages. */
  #beginRound(): void {
    this.#round = [...this.#pending.keys()].sort();
    this.#roundEnd = this.#lastSummed;
  }

  #pendingOf(accountId: string): AccountSums {
    const existingSums = this.#pending.get(accountId);
    if (existingSums) return existingSums;
    const sums = new AccountSums();
    this.#pending.set(accountId, sums);
    return sums;
  }
}

const isCycle = (period: string): boolean => period.startsWith('cycle-');
