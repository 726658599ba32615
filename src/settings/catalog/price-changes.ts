import { DAY_MS, MINUTE_MS } from '../../base/lib/units.ts';
import { FIRST_MONDAY_MS, holdsAt, type TimedPrices } from './price-condition.ts';

const WEEK_MS = 7 * DAY_MS;

/**
 * Returns the next time after `at` at which a row begins or ceases to hold. Returns undefined if there is
 * none.
 */
export function nextChange(conditions: readonly TimedPrices[], at: number): number | undefined {
  const [firstOfWeek = Number.POSITIVE_INFINITY] = weeklyChanges(conditions, at);
  const [firstDate = Number.POSITIVE_INFINITY] = datesAhead(conditions, at);
  const next = Math.min(firstOfWeek, firstDate);
  return next === Number.POSITIVE_INFINITY ? undefined : next;
}

/**
 * Lists the times after `at` at which another one of these rows can decide. Between two dates each week is
 * like the first.
 */
export function* changesAhead(conditions: readonly TimedPrices[], at: number): Generator<number> {
  let start = at;
  for (const end of [...datesAhead(conditions, at), Number.POSITIVE_INFINITY]) {
    for (const time of weeklyChanges(decidingRows(conditions, start), start)) if (time < end) yield time;
    if (end < Number.POSITIVE_INFINITY) yield end;
    start = end;
  }
}

/**
 * Returns the rows that hold at some hour of a date. A row that holds at every hour hides those behind it.
 */
function decidingRows(conditions: readonly TimedPrices[], at: number): readonly TimedPrices[] {
  const rows = conditions.filter(({ from, until }) => holdsAt({ from, until, windows: null }, at));
  const last = rows.findIndex(({ windows }) => windows === null);
  return last < 0 ? rows : rows.slice(0, last);
}

/**
 * Returns the times after `at` at which the windows of these rows open or close within a week, the earliest
 * first.
 */
function weeklyChanges(conditions: readonly TimedPrices[], at: number): number[] {
  const times = new Set<number>();
  for (const { windows } of conditions)
    for (const minute of windows?.flatMap(({ start, end }) => [start, end]) ?? []) {
      const inFirstWeek = FIRST_MONDAY_MS + minute * MINUTE_MS;
      times.add(inFirstWeek + (Math.floor((at - inFirstWeek) / WEEK_MS) + 1) * WEEK_MS);
    }
  return ascending(times);
}

/** Returns the dates after `at` from or until which a row holds, the earliest first. */
function datesAhead(conditions: readonly TimedPrices[], at: number): number[] {
  const dates = conditions.flatMap(({ from, until }) => [from, until]).filter((date) => date !== null);
  return ascending(new Set(dates.filter((date) => date > at)));
}

const ascending = (times: ReadonlySet<number>): number[] => [...times].sort((one, other) => one - other);
