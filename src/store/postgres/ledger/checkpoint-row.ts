import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import { rowOfHold } from '../gate/postgres-gate.ts';
import type { PostgresHold } from '../gate/postgres-hold.ts';
import { postingPiece } from './posting-piece.ts';

/**
 * Returns the state of an open hold as a row. Its text has the posting, for a node that reclaims the hold,
 * and the same in pieces, for a node that closes this one.
 */
export function checkpointRow({ posting, produced, away }: HoldCheckpoint) {
  const hold = posting.hold as PostgresHold;
  hold.away ??= away;
  const { response: _, ...rest } = posting;
  const receipt = { ...posting.receipt, outcome: 'recovered', isEstimated: true } as const;
  const settle = postingPiece({ ...rest, receipt }, { isKept: true });
  const place = hold.away;
  return {
    ...rowOfHold(hold),
    checkpoint: JSON.stringify({ posting: rest, produced, ...(place && { away: place }), settle }),
    produced,
    away_batch: place?.batch ?? null,
    away_number: place?.number ?? null,
  };
}
