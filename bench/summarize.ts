import type { Spread } from './benchmark-report.ts';

/** Returns median, minimum and maximum, or null for no values. */
export function summarize(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
