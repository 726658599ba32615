import { DAY_MS } from '../../base/lib/units.ts';

/** Returns the last day of a month. Months count from 0 and can be outside 0 to 11. */
const lastDayOf = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/**
 * Returns the time `months` after `from` in UTC, at the same time of day. The date is `day` of that month, or
 * its last day if the month is shorter.
 * `day` is a separate argument so that the 31st returns after a February.
 */
export function monthsLater(from: number, months: number, day: number): number {
  const start = new Date(from);
  const year = start.getUTCFullYear();
  const month = start.getUTCMonth() + months;
  const timeOfDay = ((from % DAY_MS) + DAY_MS) % DAY_MS;
  return Date.UTC(year, month, Math.min(day, lastDayOf(year, month))) + timeOfDay;
}

/** Returns the number of whole months between `from` and a later `to`, counted like `monthsLater`. */
export function monthsBetween(from: number, to: number, day: number): number {
  const start = new Date(from);
  const end = new Date(to);
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return monthsLater(from, months, day) > to ? months - 1 : months;
}
