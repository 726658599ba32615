import type { EncodeNotes } from '../../encoding/encode-notes.ts';

/** The maximum number of stop sequences on both wires of the vendor. */
export const MAX_STOP_SEQUENCES = 5;
const MAX_INT32 = 2 ** 31 - 1;

/** Returns a seed that the vendor takes, which has 32 bits. A larger seed is lost. */
export function seedOf(seed: number | undefined, notes: EncodeNotes): number | undefined {
  if (seed === undefined || Math.abs(seed) <= MAX_INT32) return seed;
  notes.lose('seed');
  return undefined;
}
