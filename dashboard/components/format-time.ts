import type { ChartStep } from './chart-props.ts';
import { LOCALE, type Maybe, NO_VALUE, orDash } from './format-parts.ts';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dayOfYear = { month: 'short', day: 'numeric' } as const;
const withYear = { year: 'numeric' } as const;
const withSeconds = { second: '2-digit' } as const;
const inUtc = { timeZone: 'UTC' } as const;

const formatOf = (...options: Intl.DateTimeFormatOptions[]): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(LOCALE, Object.assign({}, ...options));

const dateFormat = formatOf(dayOfYear, withYear);
const minuteFormat = formatOf(dayOfYear, clock);
const minuteOfYearFormat = formatOf(dayOfYear, clock, withYear);
const secondFormat = formatOf(dayOfYear, clock, withSeconds);
const secondOfYearFormat = formatOf(dayOfYear, clock, withSeconds, withYear);
const utcDayFormat = formatOf(dayOfYear, inUtc);
const utcDateFormat = formatOf(dayOfYear, withYear, inUtc);
const utcClockFormat = formatOf(clock, inUtc);

/** Formats the day of a time. All times are ISO texts, as the API sends them. */
export const formatDate = (time: Maybe<string>): string =>
  orDash(time, (value) => dateFormat.format(new Date(value)));

/** Formats a date and a time to the minute. The year is left out if it is the current one. */
export const formatDateTime = (time: Maybe<string>): string =>
  orDash(time, (value) => (isThisYear(value) ? minuteFormat : minuteOfYearFormat).format(new Date(value)));

/** Formats a date and a time to the second. The year is left out if it is the current one. */
export const formatDateTimeToSecond = (time: Maybe<string>): string =>
  orDash(time, (value) => (isThisYear(value) ? secondFormat : secondOfYearFormat).format(new Date(value)));

const isThisYear = (value: string): boolean => new Date(value).getFullYear() === new Date().getFullYear();

/** Formats the start of an interval of usage, whose hours and days are in UTC for everybody. */
export const formatStep = (time: string, step: ChartStep): string => {
  const start = new Date(time);
  return step === 'day'
    ? utcDateFormat.format(start)
    : `${utcDayFormat.format(start)}, ${utcClockFormat.format(start)}`;
};

const isMidnight = (time: Date): boolean => time.getUTCHours() === 0 && time.getUTCMinutes() === 0;

/** Formats the label of a time on an axis. An axis of minutes or hours shows the day at midnight. */
export const formatTick = (time: string, step: ChartStep): string => {
  const tick = new Date(time);
  return (step === 'day' || isMidnight(tick) ? utcDayFormat : utcClockFormat).format(tick);
};

const relativeFormat = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** The units of relative times, each with its length and with the time at which the next unit begins. */
const relativeUnits: readonly { unit: Intl.RelativeTimeFormatUnit; seconds: number; endSeconds: number }[] = [
  { unit: 'second', seconds: 1, endSeconds: 60 },
  { unit: 'minute', seconds: 60, endSeconds: 3_600 },
  { unit: 'hour', seconds: 3_600, endSeconds: 86_400 },
  { unit: 'day', seconds: 86_400, endSeconds: 30 * 86_400 },
  { unit: 'month', seconds: 30 * 86_400, endSeconds: 365 * 86_400 },
  { unit: 'year', seconds: 365 * 86_400, endSeconds: Number.POSITIVE_INFINITY },
];

/** Formats a time relative to now: 5 minutes ago, in 3 days. */
export function formatRelative(time: Maybe<string>, now = Date.now()): string {
  if (time === null || time === undefined) return NO_VALUE;
  const fromNowSeconds = (Date.parse(time) - now) / 1_000;
  if (Math.abs(fromNowSeconds) < 10) return 'just now';
  // Rounds before the unit is chosen, so that 59.7 seconds are a minute.
  const inUnits = relativeUnits.map((row) => ({ ...row, count: Math.round(fromNowSeconds / row.seconds) }));
  const { count, unit } = inUnits.find((row) => Math.abs(row.count) * row.seconds < row.endSeconds)!;
  return relativeFormat.format(count, unit);
}
