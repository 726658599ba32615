import { instantOf } from '../../base/lib/instant-of.ts';
import type { PriceConditionRow } from '../config/price-schema.ts';

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

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const MINUTES_PER_DAY = 1_440;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
const MS_PER_MINUTE = 60_000;
/** 5 January 1970 was the first Monday. */
const FIRST_MONDAY_MS = 4 * MINUTES_PER_DAY * MS_PER_MINUTE;

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
    const midnight = DAYS.indexOf(day) * MINUTES_PER_DAY;
    return { start: midnight + begin, end: midnight + end + (end <= begin ? MINUTES_PER_DAY : 0) };
  });
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Reports whether the time of a request lets a row apply. */
export function holdsAt(
  { windows, from, until }: Pick<PriceCondition, 'windows' | 'from' | 'until'>,
  at: number,
): boolean {
  if ((from !== null && at < from) || (until !== null && at >= until)) return false;
  if (windows === null) return true;
  const minute = Math.floor(((at - FIRST_MONDAY_MS) / MS_PER_MINUTE) % MINUTES_PER_WEEK);
  return windows.some(
    ({ start, end }) =>
      (minute >= start && minute < end) ||
      (minute + MINUTES_PER_WEEK >= start && minute + MINUTES_PER_WEEK < end),
  );
}

type Timed = Pick<PriceCondition, 'windows' | 'from' | 'until'>;

/**
 * Returns the times after `at` at which the windows of these rows open or close
 * within a week, the earliest first.
 */
function weeklyChanges(conditions: readonly Timed[], at: number): number[] {
  const week = MINUTES_PER_WEEK * MS_PER_MINUTE;
  const times = new Set<number>();
  for (const { windows } of conditions)
    for (const minute of windows?.flatMap(({ start, end }) => [start, end]) ?? []) {
      const inFirstWeek = FIRST_MONDAY_MS + minute * MS_PER_MINUTE;
      times.add(inFirstWeek + (Math.floor((at - inFirstWeek) / week) + 1) * week);
    }
  return [...times].sort((one, other) => one - other);
}

/** Returns the dates after `at` from or until which a row holds, the earliest first. */
const datesAhead = (conditions: readonly Timed[], at: number): number[] =>
  [...new Set(conditions.flatMap(({ from, until }) => [from, until]))]
    .filter((time) => time !== null && time > at)
    .sort((one, other) => one! - other!) as number[];

/**
 * Returns the next time after `at` at which a row begins or ceases to hold.
 * Returns undefined if there is none.
 */
export function nextChange(conditions: readonly Timed[], at: number): number | undefined {
  const next = Math.min(
    ...weeklyChanges(conditions, at).slice(0, 1),
    ...datesAhead(conditions, at).slice(0, 1),
  );
  return next === Number.POSITIVE_INFINITY ? undefined : next;
}

/**
 * Lists the times after `at` at which another one of these rows can decide.
 * Between two dates each week is like the first.
 */
export function* changesAhead(conditions: readonly Timed[], at: number): Generator<number> {
  let start = at;
  for (const end of [...datesAhead(conditions, at), Number.POSITIVE_INFINITY]) {
    const current = conditions.filter(({ from, until }) => holdsAt({ from, until, windows: null }, start));
    // A row that holds at every hour hides those behind it.
    const last = current.findIndex(({ windows }) => windows === null);
    for (const time of weeklyChanges(last < 0 ? current : current.slice(0, last), start))
      if (time < end) yield time;
    if (end < Number.POSITIVE_INFINITY) yield end;
    start = end;
  }
}
