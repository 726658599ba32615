import { LOCALE, type Maybe, orDash, withDecimals } from './format-parts.ts';

const wholeFormat = new Intl.NumberFormat(LOCALE);
const compactFormat = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const twoDigitFormat = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 2 });
const percentFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** 1234567 becomes 1,234,567. */
export const formatNumber = (value: Maybe<number>): string => orDash(value, wholeFormat.format);

/** Formats a number of things: 1 request, 1,234 requests. */
export const formatCount = (count: number, thing: string, things = `${thing}s`): string =>
  `${formatNumber(count)} ${count === 1 ? thing : things}`;

/** 1234567 becomes 1.2M. */
export const formatCompact = (value: Maybe<number>): string => orDash(value, compactFormat.format);

/** Formats a rate, for example requests a minute. Small rates keep two digits that count. */
export const formatRate = (value: Maybe<number>): string =>
  orDash(value, (rate) => (rate >= 10 ? compactFormat : twoDigitFormat).format(rate));

/** Formats a share between 0 and 1. */
export const formatPercent = (value: Maybe<number>): string => orDash(value, percentFormat.format);

/** Formats a number of tokens. It is whole up to 10,000. */
export const formatTokens = (value: Maybe<number>): string =>
  orDash(value, (tokens) => (tokens < 10_000 ? wholeFormat : compactFormat).format(tokens));

/** Returns the number of decimals of an amount. Small amounts keep the digits that make them more than 0. */
function decimalsOf(value: number, min: number): number {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return min;
  return Math.min(6, Math.max(min, 1 - Math.floor(Math.log10(size))));
}

/** Formats an amount in credits. From 100 credits on it has no decimals. */
export const formatCredits = (credits: Maybe<number>): string =>
  orDash(credits, (value) => withDecimals(value, 0, Math.abs(value) >= 100 ? 0 : decimalsOf(value, 2)));

/** Formats an amount in US dollars. */
export const formatUsd = (usd: Maybe<number>): string =>
  orDash(usd, (value) => dollars(value, decimalsOf(value, 2)));

/** Formats a price in US dollars with all its digits. */
export const formatPrice = (usd: Maybe<number>): string => orDash(usd, (value) => dollars(value, 9));

const dollars = (value: number, maxDecimals: number): string =>
  `${value < 0 ? '-' : ''}$${withDecimals(Math.abs(value), 2, maxDecimals)}`;

/** Rounds as the text does, so that no unit shows 1,000 of itself. */
const inUnit = (bytes: number, unitIndex: number): number =>
  unitIndex === 0 ? Math.round(bytes) : Math.round((bytes / 1_000 ** unitIndex) * 10) / 10;

/** Formats a size: 850 bytes, 1.2 kB, 3 GB. */
export const formatBytes = (bytes: Maybe<number>): string =>
  orDash(bytes, (value) => {
    const fitting = byteUnits.findIndex((_, index) => inUnit(value, index) < 1_000);
    const unitIndex = fitting < 0 ? byteUnits.length - 1 : fitting;
    return `${withDecimals(inUnit(value, unitIndex), 0, 1)} ${byteUnits[unitIndex]}`;
  });
