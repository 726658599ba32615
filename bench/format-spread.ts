import type { Spread } from './benchmark-report.ts';

/** The text for a figure that was not measured. */
export const NOT_MEASURED = '–';

export const formatNumber = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * Formats the median with the least and the largest value.
 *
 * @example
 * formatSpread({ median: 1_200, min: 900, max: 1_500 }); // → '1,200 (900 to 1,500)'
 */
export function formatSpread(spread: Spread | null, digits = 0): string {
  if (spread === null) return NOT_MEASURED;
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) =>
    formatNumber(value, digits),
  );
  return `${median} (${min} to ${max})`;
}
