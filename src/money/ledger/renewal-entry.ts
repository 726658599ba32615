import type { Entry } from './entry.ts';
import type { Period } from './period.ts';

/**
 * Returns the entry for a renewal. Its id makes it one entry, regardless of which request notices the renewal
 * first.
 */
export const renewalEntry = (
  accountId: string,
  { id, startedAt, limitMicrocredits, daily }: Period,
): Entry => ({
  id: `ent_renewal_${accountId}_${startedAt}`,
  accountId,
  at: startedAt,
  kind: 'renewal',
  period: id,
  microcredits: daily?.wholeMicrocredits ?? limitMicrocredits ?? 0,
  receipt: null,
  reason: null,
});
