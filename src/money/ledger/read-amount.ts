import type { EntryKind } from './entry.ts';

/**
 * Reads the amount of a stored entry. Returns undefined if it is invalid. A renewal's amount is the plan's
 * credits and counts in no sum. Earlier versions had no bound: they wrote any number, and null for infinity.
 * Those values read as the largest safe amount.
 */
export function readAmount(kind: EntryKind, written: unknown): number | undefined {
  if (written !== null && typeof written !== 'number') return undefined;
  if (written !== null && Number.isSafeInteger(written)) return written;
  const isTooLarge = written === null || written > Number.MAX_SAFE_INTEGER;
  return kind === 'renewal' && isTooLarge ? Number.MAX_SAFE_INTEGER : undefined;
}
