import { HOUR_MS } from '../../../base/lib/units.ts';
import type { Budget } from '../../../money/budgets/budget.ts';
import type { BinSpend } from '../../../money/budgets/budget-counters.ts';
import { type CalendarMonth, calendarMonth } from '../../../money/ledger/calendar-month.ts';
import type { Entry, Receipt } from '../../../money/ledger/entry.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { type DayTokens, dayOf } from '../../../money/ledger/token-day.ts';
import { BudgetSums } from '../../ledger/budget-sums.ts';
import { type ChainHead, NO_HEAD } from '../../ledger/chain-head.ts';
import type { SpendRow } from '../../ledger/spend-rows-of.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { addToBucket } from './buckets.ts';
import { addSpend } from './budget-spend.ts';
import type { PlacedEntry } from './entries.ts';
import { saveHead } from './heads.ts';
import { addKeyExcess, type KeyExcess } from './key-excess.ts';
import { addDayTokens } from './token-days.ts';
import { addUsage, type UsageOfHour } from './usage-sums.ts';

/** The sums of one account's entries that are not in its tables yet. */
export class AccountSums {
  readonly #buckets = new Map<string, { granted: number; used: number }>();
  readonly #usage = new Map<string, UsageOfHour>();
  /** Cached, since consecutive entries of an account mostly share the hour, key and model. */
  #latestUsage: UsageOfHour | undefined;
  readonly #excess = new Map<string, KeyExcess>();
  #dayTokens: DayTokens = { day: 0, tokens: 0 };
  #budgets: BudgetSums | undefined;
  head: ChainHead = NO_HEAD;

  add({ entry, head }: PlacedEntry, budgets: readonly Budget[]): void {
    const { kind, period, microcredits } = entry;
    this.head = head;
    if (kind === 'renewal') return;
    const bucket = this.bucket(period);
    bucket[kind === 'usage' ? 'used' : 'granted'] += microcredits;
    this.#buckets.set(period, bucket);
    if (entry.receipt) this.#addUsage(entry, entry.receipt);
    for (const budget of budgets) this.count(budget, entry);
  }

  /** Counts an entry for a budget. */
  count(budget: Budget, entry: Entry): void {
    this.#budgets ??= new BudgetSums();
    this.#budgets.addEntry(budget, entry);
  }

  /** Removes and returns the amounts of a counter. */
  dropCounter(counter: string): SpendRow[] {
    return this.#budgets?.drop(counter) ?? [];
  }

  /** Adds amounts of a counter that were removed. */
  restoreCounter(rows: readonly SpendRow[]): void {
    this.#budgets ??= new BudgetSums();
    for (const row of rows) this.#budgets.addRow(row);
  }

  bins({ counter }: Budget, target: string): BinSpend[] {
    const rows = Iterator.from(this.#budgets?.rows ?? []);
    return rows.filter((row) => row.counter === counter && row.target === target).toArray();
  }

  bucket(period: string): { granted: number; used: number } {
    return this.#buckets.get(period) ?? { granted: 0, used: 0 };
  }

  get periods(): Iterable<string> {
    return this.#buckets.keys();
  }

  /** Returns the amount that counts against the key's cap. */
  spent(keyId: string, { startsAt, endsAt }: CalendarMonth): number {
    let spent = -(this.#excess.get(excessName(keyId, startsAt))?.microcredits ?? 0);
    for (const usage of this.#usage.values()) {
      const at = usage.hour * HOUR_MS;
      if (usage.keyId === keyId && at >= startsAt && at < endsAt) spent += usage.microcredits;
    }
    return spent;
  }

  /**
   * Returns the pending or the stored day, whichever is later.
   * If both are the same day, their tokens are added.
   */
  dayTokens(stored: DayTokens): DayTokens {
    const { day, tokens } = this.#dayTokens;
    if (day !== stored.day) return day > stored.day ? this.#dayTokens : stored;
    return { day, tokens: tokens + stored.tokens };
  }

  write(connection: SqliteConnection, accountId: string, budgets: readonly Budget[]): void {
    for (const [period, change] of this.#buckets) addToBucket(connection, { accountId, period, ...change });
    for (const usage of this.#usage.values()) addUsage(connection, accountId, usage);
    for (const excess of this.#excess.values()) addKeyExcess(connection, { accountId, ...excess });
    if (this.#dayTokens.day > 0) addDayTokens(connection, { accountId, ...this.#dayTokens });
    const from = new Map(budgets.map(({ counter, countsFrom }) => [counter, countsFrom]));
    for (const row of this.#budgets?.rows ?? [])
      if (row.bin >= (from.get(row.counter) ?? Number.POSITIVE_INFINITY))
        addSpend(connection, accountId, row);
    saveHead(connection, accountId, this.head);
  }

  #addUsage({ at, period, microcredits }: Entry, receipt: Receipt): void {
    const { tokens } = receipt;
    const sum = this.#usageOf(Math.floor(at / HOUR_MS), receipt);
    sum.requests += 1;
    sum.input += tokens.input;
    sum.cachedInput += tokens.cachedInput;
    sum.output += tokens.output;
    sum.microcredits += microcredits;
    if (receipt.beyondCapMicrocredits) this.#addExcess(at, receipt.keyId, receipt.beyondCapMicrocredits);
    if (period !== PURCHASED) this.#addDay(dayOf(at), tokens.input + tokens.output);
  }

  #usageOf(hour: number, { keyId, model }: Receipt): UsageOfHour {
    const latest = this.#latestUsage;
    if (latest?.hour === hour && latest.keyId === keyId && latest.model === model) return latest;
    const name = `${hour} ${keyId} ${model}`;
    let sum = this.#usage.get(name);
    if (!sum) {
      sum = { keyId, model, hour, requests: 0, input: 0, cachedInput: 0, output: 0, microcredits: 0 };
      this.#usage.set(name, sum);
    }
    this.#latestUsage = sum;
    return sum;
  }

  #addExcess(at: number, keyId: string, microcredits: number): void {
    const month = calendarMonth(at).startsAt;
    const name = excessName(keyId, month);
    const sum = this.#excess.get(name)?.microcredits ?? 0;
    this.#excess.set(name, { keyId, month, microcredits: sum + microcredits });
  }

  #addDay(day: number, tokens: number): void {
    if (day > this.#dayTokens.day) this.#dayTokens = { day, tokens };
    else if (day === this.#dayTokens.day) this.#dayTokens.tokens += tokens;
  }
}

const excessName = (keyId: string, month: number): string => `${keyId} ${month}`;
