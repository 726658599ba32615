/** The last day of a month; months count from 0 and may lie outside 0 to 11. */
const lastDayOf = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

const DAY_MS = 86_400_000;

/**
 * The moment `months` after `from`, at the same time of day and on `day` of that month, or on its last day
 * where it is shorter. All UTC. The day is given apart, so that the 31st comes back after a February.
 */
export function monthsLater(from: number, months: number, day: number): number {
  const start = new Date(from);
  const year = start.getUTCFullYear();
  const month = start.getUTCMonth() + months;
  const timeOfDay = ((from % DAY_MS) + DAY_MS) % DAY_MS;
  return Date.UTC(year, month, Math.min(day, lastDayOf(year, month))) + timeOfDay;
}

/** How many whole months, counted as `monthsLater` does, lie between `from` and a later `to`. */
export function monthsBetween(from: number, to: number, day: number): number {
  const start = new Date(from);
  const end = new Date(to);
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return monthsLater(from, months, day) > to ? months - 1 : months;
}
