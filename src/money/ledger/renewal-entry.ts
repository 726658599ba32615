import type { Entry } from './entry.ts';
import type { Period } from './period.ts';

/** What the ledger says of a cycle that follows another: one entry, whoever notices first. */
export const renewalEntry = (accountId: string, { id, startedAt, limitMicrocredits }: Period): Entry => ({
  id: `ent_renewal_${accountId}_${startedAt}`,
  accountId,
  at: startedAt,
  kind: 'renewal',
  period: id,
  microcredits: limitMicrocredits ?? 0,
  receipt: null,
  reason: null,
});
