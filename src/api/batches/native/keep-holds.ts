import type { HoldCheckpoint, LedgerStore } from '../../../money/ledger/ledger-store.ts';
import type { ItemAway } from './item-away.ts';

/** Holds of one write: others wait for the disk. */
const AT_A_TIME = 250;

/** Writes down what is held for items that a provider is about to have, so that the next process takes it again. */
export async function keepHolds(
  ledger: Pick<LedgerStore, 'checkpoint'>,
  items: readonly { away: ItemAway; held: HoldCheckpoint }[],
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_A_TIME)
    await ledger.checkpoint(items.slice(at, at + AT_A_TIME).map(checkpointOf));
}

function checkpointOf({ away, held }: { away: ItemAway; held: HoldCheckpoint }): HoldCheckpoint {
  const { batch, number } = away.item.lease;
  return { ...held, away: { batch, number } };
}
