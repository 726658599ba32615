import { HOUR_MS } from '../../base/lib/units.ts';
import type { BudgetRule } from '../../money/budgets/budget.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import type { Entry, KeyDifference, WrittenEntry } from '../../money/ledger/entry.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { dayOf } from '../../money/ledger/token-day.ts';
import type { ChainHead } from './chain-head.ts';
import type { DerivedTable } from './derived-table.ts';
import { spendRowsOf } from './spend-rows-of.ts';

/** The length of a month such as `2026-11`. */
const MONTH_LENGTH = 7;

export type Value = string | number;
export type ExpectedRow = { key: readonly Value[]; values: Value[] };
type Sums = { key: readonly Value[]; amounts: readonly number[] };

/** Parts of a key never contain a line break. */
export const keyName = (key: readonly Value[]): string => key.join('\n');

/** Returns the calendar month of a time, such as `2026-11`. */
export const monthName = (at: number): string => new Date(at).toISOString().slice(0, MONTH_LENGTH);

/**
 * The expected content of a store's derived tables for an account, computed from its entries in any order. It
 * shares no code with the writers of those tables, so that their mistakes are found too. Each table has the
 * leading columns of the amounts that are added here.
 */
export class ExpectedRows {
  readonly #tables: ReadonlyMap<string, { width: number; rows: Map<string, ExpectedRow> }>;
  readonly #budgets: readonly BudgetRule[];
  readonly #renewed = new Set<string>();
  /** Receives every row that another entry changes. */
  onChange: ((table: string, key: readonly Value[]) => void) | undefined;

  constructor(tables: readonly DerivedTable[], budgets: readonly BudgetRule[] = []) {
    this.#budgets = budgets;
    this.#tables = new Map(
      tables.map(({ name, values }) => [name, { width: values.length, rows: new Map() }]),
    );
  }

  of(table: string): ReadonlyMap<string, ExpectedRow> {
    return this.#tables.get(table)!.rows;
  }

  /** Reports whether the start of a period has a renewal. */
  isRenewed(period: string): boolean {
    return this.#renewed.has(period);
  }

  /**
   * The id of a renewal contains the start of its cycle, so that the entry explains the cycle even if its
   * text is damaged.
   */
  takeUnreadable(id: string): void {
    const start = /^ent_renewal_.*_(\d+)$/.exec(id)?.[1];
    if (start !== undefined) this.#renewed.add(`cycle-${start}`);
  }

  /** Adds an entry. `isRolledUp` is false if the sums of hours and days do not have it yet. */
  take(entry: WrittenEntry, { isRolledUp = true }: { isRolledUp?: boolean } = {}): void {
    const { kind, period, microcredits, receipt, keyDifference } = entry;
    const isUsage = kind === 'usage';
    if (kind === 'renewal') this.#renewed.add(period);
    const granted = isUsage || kind === 'renewal' ? 0 : microcredits;
    this.#add('bucket', { key: [period], amounts: [granted, isUsage ? microcredits : 0, 0] });
    if (keyDifference) this.#takeKeyDifference(keyDifference);
    if (!isUsage || !receipt) return;
    this.#takeKey(entry, receipt);
    for (const budget of this.#budgets) this.#takeBudget(budget, entry);
    if (isRolledUp) this.#takeUsage(entry, receipt);
    if (period !== PURCHASED) this.#takeDay(dayOf(entry.at), receipt.tokens.input + receipt.tokens.output);
  }

  /** Adds an amount that open holds reserve of a balance. */
  holdBalance(period: string, microcredits: number): void {
    this.#add('bucket', { key: [period], amounts: [0, 0, microcredits] });
  }

  /** Adds an amount that open holds reserve of a key's cap. */
  holdCap(keyId: string, month: string, microcredits: number): void {
    this.#add('key_month', { key: [keyId, month], amounts: [0, microcredits] });
  }

  /** Adds an amount that open holds reserve of a budget. */
  holdBudget(key: readonly [counter: string, target: string, bin: number], microcredits: number): void {
    const budget = this.#budgets.find(({ counter }) => counter === key[0]);
    if (budget && key[2] >= budget.countsFrom)
      this.#add('budget_spend', { key, amounts: [0, 0, microcredits] });
  }

  /** Sets the end of the account's chain. */
  endAt({ number, sequence, hash }: ChainHead): void {
    this.#set('account_head', [number, sequence, hash]);
  }

  #takeUsage({ at, microcredits }: Entry, { keyId, model, tokens }: NonNullable<Entry['receipt']>): void {
    const { input, cachedInput, output } = tokens;
    const amounts = [1, input, cachedInput, output, microcredits];
    this.#add('usage_hour', { key: [Math.floor(at / HOUR_MS), keyId, model], amounts });
    this.#add('usage_day', { key: [dayOf(at), keyId, model], amounts });
  }

  #takeBudget(budget: BudgetRule, entry: Entry): void {
    for (const { counter, target, bin, used, requests } of spendRowsOf(budget, entry))
      this.#add('budget_spend', { key: [counter, target, bin], amounts: [used, requests, 0] });
  }

  /** A store has either the whole amounts of a key's month or the parts beyond its cap. */
  #takeKey({ at, microcredits }: Entry, receipt: NonNullable<Entry['receipt']>): void {
    const { keyId, beyondCapMicrocredits: beyondCap = 0 } = receipt;
    if (beyondCap > 0)
      this.#add('key_excess', { key: [keyId, calendarMonth(at).startsAt], amounts: [beyondCap] });
    if (this.#tables.has('key_month'))
      this.#add('key_month', { key: [keyId, monthName(at)], amounts: [microcredits - beyondCap, 0] });
  }

  #takeKeyDifference({ keyId, at, microcredits }: KeyDifference): void {
    this.#add('key_month', { key: [keyId, monthName(at)], amounts: [microcredits, 0] });
  }

  /** Adds to the latest day with usage. */
  #takeDay(day: number, tokens: number): void {
    const [last, sum] = (this.of('token_day').get('')?.values ?? [0, 0]) as [number, number];
    if (day > last) this.#set('token_day', [day, tokens]);
    else if (day === last) this.#set('token_day', [day, sum + tokens]);
  }

  #set(table: string, values: Value[]): void {
    this.#tables.get(table)!.rows.set('', { key: [], values });
    this.onChange?.(table, []);
  }

  #add(name: string, { key, amounts }: Sums): void {
    const table = this.#tables.get(name);
    if (!table) return;
    const { rows, width } = table;
    const row = rows.get(keyName(key));
    if (row) for (let index = 0; index < width; index++) (row.values[index] as number) += amounts[index]!;
    else rows.set(keyName(key), { key, values: amounts.slice(0, width) });
    this.onChange?.(name, key);
  }
}
