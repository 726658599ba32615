import type { EntryKind } from './entry.ts';

/**
 * An entry's amount as it was written; undefined: it is none. A renewal's is what the plan gives and part of no sum. Versions without a
 * bound wrote down any number there, and null for one beyond all numbers: these read as the largest that can be counted.
 */
export function readAmount(kind: EntryKind, written: unknown): number | undefined {
  if (Number.isSafeInteger(written)) return written as number;
  const isTooLarge = written === null || (written as number) > Number.MAX_SAFE_INTEGER;
  return kind === 'renewal' && isTooLarge ? Number.MAX_SAFE_INTEGER : undefined;
}
