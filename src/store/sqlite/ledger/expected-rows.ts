import { calendarMonth } from '../../../money/ledger/calendar-month.ts';
import type { Entry, WrittenEntry } from '../../../money/ledger/entry.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import { type DerivedTableName, derivedTables } from './derived-tables.ts';
import type { Head } from './heads.ts';
import { HOUR_MS } from './usage-sums.ts';

export type Value = string | number;
export type ExpectedRow = { key: readonly Value[]; values: Value[] };
type Sums = { table: DerivedTableName; key: readonly Value[]; amounts: readonly number[] };

/** Parts of a key never contain a line break. */
export const keyName = (key: readonly Value[]): string => key.join('\n');

/**
 * The expected content of the derived tables for an account, computed from its entries in any order. It shares no code with the writers
 * of those tables, so that their mistakes are found too.
 */
export class ExpectedRows {
  readonly #tables = new Map<DerivedTableName, Map<string, ExpectedRow>>(
    derivedTables.map(({ name }) => [name, new Map()]),
  );
  /** Called for every row that another entry changes. */
  onChange: ((table: DerivedTableName, key: readonly Value[]) => void) | undefined;

  of(table: DerivedTableName): ReadonlyMap<string, ExpectedRow> {
    return this.#tables.get(table)!;
  }

  take(entry: WrittenEntry): void {
    const { kind, period, microcredits, receipt } = entry;
    const isUsage = kind === 'usage';
    const granted = isUsage || kind === 'renewal' ? 0 : microcredits;
    this.#add({ table: 'bucket', key: [period], amounts: [granted, isUsage ? microcredits : 0] });
    if (isUsage && receipt) this.#takeUsage(entry, receipt);
  }

  /** Sets the end of the account's chain. */
  endAt({ number, sequence, hash }: Head): void {
    this.#set('account_head', [number, sequence, hash]);
  }

  #takeUsage({ at, period, microcredits }: Entry, receipt: NonNullable<Entry['receipt']>): void {
    const { keyId, model, tokens, beyondCapMicrocredits: beyondCap = 0 } = receipt;
    const { input, cachedInput, output } = tokens;
    const amounts = [1, input, cachedInput, output, microcredits];
    const day = dayOf(at);
    this.#add({ table: 'usage_hour', key: [Math.floor(at / HOUR_MS), keyId, model], amounts });
    this.#add({ table: 'usage_day', key: [day, keyId, model], amounts });
    if (period !== PURCHASED) this.#takeDay(day, input + output);
    if (beyondCap > 0)
      this.#add({ table: 'key_excess', key: [keyId, calendarMonth(at).startsAt], amounts: [beyondCap] });
  }

  /** Adds to the latest day with usage. */
  #takeDay(day: number, tokens: number): void {
    const [last, sum] = (this.of('token_day').get('')?.values ?? [0, 0]) as [number, number];
    if (day > last) this.#set('token_day', [day, tokens]);
    else if (day === last) this.#set('token_day', [day, sum + tokens]);
  }

  #set(table: DerivedTableName, values: Value[]): void {
    this.#tables.get(table)!.set('', { key: [], values });
    this.onChange?.(table, []);
  }

  #add({ table, key, amounts }: Sums): void {
    const rows = this.#tables.get(table)!;
    const name = keyName(key);
    const row = rows.get(name);
    if (row) for (const [index, amount] of amounts.entries()) (row.values[index] as number) += amount;
    else rows.set(name, { key, values: [...amounts] });
    this.onChange?.(table, key);
  }
}
