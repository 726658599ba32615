import type { ChartStep } from './chart-props.ts';

const LOCALE = 'en-US';

const plain = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
const share = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(LOCALE, { year: 'numeric', month: 'short', day: 'numeric' });
const time = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const minute = new Intl.DateTimeFormat(LOCALE, { ...time });
const minuteWithYear = new Intl.DateTimeFormat(LOCALE, { ...time, year: 'numeric' });
const second = new Intl.DateTimeFormat(LOCALE, { ...time, second: '2-digit' });
const secondWithYear = new Intl.DateTimeFormat(LOCALE, { ...time, second: '2-digit', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

const NONE = '–';

type Maybe<Value> = Value | null | undefined;

/** Formats a value, or returns a dash for none. */
const orDash = <Value>(value: Maybe<Value>, format: (value: Value) => string): string =>
  value === null || value === undefined ? NONE : format(value);

export const formatNumber = (value: Maybe<number>): string => orDash(value, plain.format);

/** 1,234,567 becomes 1.2M. */
export const formatCompact = (value: Maybe<number>): string => orDash(value, compact.format);

/** Formats a rate, for example requests a minute. Small rates keep two digits that count. */
export const formatRate = (value: Maybe<number>): string =>
  orDash(value, (rate) => (rate >= 10 ? compact.format(rate) : twoDigits.format(rate)));

/** Formats a share between 0 and 1. */
export const formatPercent = (value: Maybe<number>): string => orDash(value, share.format);

export const formatTokens = (value: Maybe<number>): string =>
  orDash(value, (tokens) => (tokens < 10_000 ? plain : compact).format(tokens));

/** Small amounts keep the digits that make them more than nothing. */
function fractionDigits(value: number, least: number): number {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return least;
  return Math.min(6, Math.max(least, 1 - Math.floor(Math.log10(size))));
}

const withDigits = (value: number, least: number, most: number): string =>
  value.toLocaleString(LOCALE, { minimumFractionDigits: least, maximumFractionDigits: most });

/** Formats an amount in credits. */
export const formatCredits = (credits: Maybe<number>): string =>
  orDash(credits, (value) => withDigits(value, 0, Math.abs(value) >= 100 ? 0 : fractionDigits(value, 2)));

/** Formats an amount in US dollars. */
export const formatUsd = (usd: Maybe<number>): string =>
  orDash(
    usd,
    (value) => `${value < 0 ? '-' : ''}$${withDigits(Math.abs(value), 2, fractionDigits(value, 2))}`,
  );

/** Formats a price in US dollars with all its digits. */
export const formatPrice = (usd: Maybe<number>): string =>
  orDash(usd, (value) => `${value < 0 ? '-' : ''}$${withDigits(Math.abs(value), 2, 9)}`);

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Rounds as the text does, so that no unit shows 1,000 of itself. */
const inUnit = (bytes: number, step: number): number =>
  step === 0 ? Math.round(bytes) : Math.round((bytes / 1_000 ** step) * 10) / 10;

export const formatBytes = (bytes: Maybe<number>): string =>
  orDash(bytes, (value) => {
    const last = units.length - 1;
    const step = units.findIndex((_, index) => index === last || inUnit(value, index) < 1_000);
    return `${withDigits(inUnit(value, step), 0, 1)} ${units[step]}`;
  });

/** Formats a duration: 850 ms, 1.24 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export const formatDuration = (ms: Maybe<number>): string =>
  orDash(ms, (value) => {
    const milliseconds = Math.round(value);
    if (milliseconds < 1_000) return `${milliseconds} ms`;
    const hundredths = Math.round(value / 10);
    if (hundredths < 6_000) return `${withDigits(hundredths / 100, 0, 2)} s`;
    const seconds = Math.round(value / 1_000);
    if (seconds < 3_600) return joined([Math.floor(seconds / 60), 'min'], [seconds % 60, 's']);
    const minutes = Math.round(seconds / 60);
    if (minutes < 1_440) return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
    const hours = Math.round(minutes / 60);
    return joined([Math.floor(hours / 24), 'd'], [hours % 24, 'h']);
  });

const joined = (...parts: [number, string][]): string =>
  parts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');

/** Times are ISO texts, as the API sends them. */
export const formatDate = (time: Maybe<string>): string =>
  orDash(time, (value) => day.format(new Date(value)));

/** Formats a date and a time, without the year if it is the current one. */
export const formatDateTime = (time: Maybe<string>): string =>
  orDash(time, (value) => (isThisYear(value) ? minute : minuteWithYear).format(new Date(value)));
export const formatSecond = (time: Maybe<string>): string =>
  orDash(time, (value) => (isThisYear(value) ? second : secondWithYear).format(new Date(value)));

const utcDay = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const utcDayWithYear = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const utcMinute = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Hours and days of usage are those of UTC, in every time zone. */
export const formatStep = (time: string, step: ChartStep): string => {
  const at = new Date(time);
  return step === 'day' ? utcDayWithYear.format(at) : `${utcDay.format(at)}, ${utcMinute.format(at)}`;
};

/** Formats the label of a time on an axis. An axis of hours shows the day at midnight. */
export const formatTick = (time: string, step: ChartStep): string => {
  const at = new Date(time);
  return (step === 'day' || at.getUTCHours() === 0 ? utcDay : utcMinute).format(at);
};

const isThisYear = (value: string): boolean => new Date(value).getFullYear() === new Date().getFullYear();

const spans: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [30 * 86_400, 'day'],
  [365 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];

/** Returns the seconds of one unit, which begins where the one before it ends. */
const sizeOf = (step: number): number => spans[step - 1]?.[0] ?? 1;
const rounded = (seconds: number, step: number): number => Math.round(seconds / sizeOf(step));

/** A time relative to now: 5 minutes ago, in 3 days. */
export function formatRelative(time: Maybe<string>, now = Date.now()): string {
  if (time === null || time === undefined) return NONE;
  const seconds = (Date.parse(time) - now) / 1_000;
  if (Math.abs(seconds) < 10) return 'just now';
  // Rounds before the unit is chosen, so that 59.7 seconds are a minute.
  const step = spans.findIndex(([end], index) => Math.abs(rounded(seconds, index)) * sizeOf(index) < end);
  return relative.format(rounded(seconds, step), spans[step]![1]);
}
