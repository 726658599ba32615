import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import type { ChainedEntry } from '../../money/ledger/repair-entry.ts';

/** A placeholder for an unreadable entry, so that the rest can be listed. */
export const unreadableEntry = ({ id, hash }: ChainedEntry, accountId: string): WrittenEntry => ({
  id,
  accountId,
  sequence: 0,
  at: 0,
  kind: 'adjustment',
  period: PURCHASED,
  microcredits: 0,
  receipt: null,
  reason: 'This entry cannot be read.',
  hash,
  isUnreadable: true,
});
