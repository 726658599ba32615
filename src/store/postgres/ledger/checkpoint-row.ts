import type { HoldCheckpoint, Posting } from '../../../money/ledger/ledger-store.ts';
import { recoveredReceipt } from '../../ledger/recovered-receipt.ts';
import { holdRow } from '../gate/hold-row.ts';
import type { PostgresHold } from '../gate/postgres-hold.ts';
import { postingPiece } from './posting-piece.ts';

/** A checkpoint of a hold that this process took. The hold itself knows whether its item is at a provider. */
export type OwnCheckpoint = Pick<HoldCheckpoint, 'produced'> & { posting: Posting & { hold: PostgresHold } };

/**
 * Returns a row of `open_hold`. The column `checkpoint` has the posting twice, as JSON. `posting` is for the
 * node that reclaims the hold of a batch item. `settle` is for `close_node`, which bills the holds of a node
 * that has ended.
 */
export function checkpointRow({ posting, produced }: OwnCheckpoint) {
  const { response: _, ...withoutResponse } = posting;
  const { away } = posting.hold;
  const recovered = { ...withoutResponse, receipt: recoveredReceipt(posting.receipt) };
  const settle = postingPiece(recovered, { isKept: true });
  return {
    ...holdRow(posting.hold),
    checkpoint: JSON.stringify({ posting: withoutResponse, produced, away, settle }),
    produced,
    away_batch: away?.batch ?? null,
    away_number: away?.number ?? null,
  };
}
