/**
 * Returns the value below or at which the share of the values lies, or 0 for no values.
 * It is always one of the values.
 */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
