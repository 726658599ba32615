import { instantOf } from '../../base/lib/instant-of.ts';
import { DAY_MS, MINUTE_MS } from '../../base/lib/units.ts';
import { type PriceConditionRow, weekdays } from '../config/price-schema.ts';

/** Prices in USD per million tokens. `cachedInput` is `null` if cached input has no discount. */
export type Prices = { input: number; output: number; cachedInput: number | null };

export type PriceTier = NonNullable<PriceConditionRow['tier']>;

/** Minutes since Monday 00:00 UTC. `end` is not in the window. It may lie in the next week. */
export type WeekWindow = { start: number; end: number };

/** A price row that replaces the base row while its conditions hold. Its prices are computed. */
export type PriceCondition = Prices & {
  name: string;
  /** The row holds for answers with more input than this. `null` means that it holds for all. */
  aboveInput: number | null;
  /** `null` means that the row holds at every hour. */
  windows: readonly WeekWindow[] | null;
  /** Unix milliseconds. The row holds from then on, and before `until`. */
  from: number | null;
  until: number | null;
  tier: PriceTier | null;
  region: string | null;
  /** The factor of token prices beyond the three. */
  factor: number;
  row: PriceConditionRow;
};

const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
/** 5 January 1970 was the first Monday. */
export const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The part of a price row that decides when it holds. */
export type TimedPrices = Pick<PriceCondition, 'windows' | 'from' | 'until'>;

/** Computes a row from the base row of its model. */
export function conditionOf(row: PriceConditionRow, base: Prices): PriceCondition {
  const { factor } = row;
  const times = (price: number): number => Number((price * factor).toFixed(9));
  const cached = base.cachedInput === null ? null : times(base.cachedInput);
  return {
    name: row.name,
    input: row.input ?? times(base.input),
    output: row.output ?? times(base.output),
    cachedInput: row.cached_input === undefined ? cached : row.cached_input,
    aboveInput: row.above_input_tokens ?? null,
    windows: row.hours?.flatMap(windowsOf) ?? null,
    from: row.from === undefined ? null : instantOf(row.from),
    until: row.until === undefined ? null : instantOf(row.until),
    tier: row.tier ?? null,
    region: row.region ?? null,
    factor,
    row,
  };
}

function windowsOf({ days, from, to }: NonNullable<PriceConditionRow['hours']>[number]): WeekWindow[] {
  const begin = minutesOf(from);
  const end = minutesOf(to);
  return days.map((day) => {
    const midnight = weekdays.indexOf(day) * MINUTES_PER_DAY;
    return { start: midnight + begin, end: midnight + end + (end <= begin ? MINUTES_PER_DAY : 0) };
  });
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Reports whether the time of a request lets a row apply. */
export function holdsAt({ windows, from, until }: TimedPrices, at: number): boolean {
  if ((from !== null && at < from) || (until !== null && at >= until)) return false;
  if (windows === null) return true;
  const minute = Math.floor(((at - FIRST_MONDAY_MS) / MINUTE_MS) % MINUTES_PER_WEEK);
  const isIn = (time: number) => windows.some(({ start, end }) => time >= start && time < end);
  return isIn(minute) || isIn(minute + MINUTES_PER_WEEK); // a window may have begun in the week before
}
