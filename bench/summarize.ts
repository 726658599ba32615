import type { Spread } from './benchmark-report.ts';

/** Median, least and most; null when there is nothing to summarize. */
export function summarize(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
