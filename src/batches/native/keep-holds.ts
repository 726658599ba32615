import type { HoldCheckpoint, LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { PackedItem } from './native-groups.ts';

/** The number of holds in one write, since other writers wait for the disk. */
const HOLDS_AT_A_TIME = 250;

/**
 * Stores the holds of items before they are sent to a provider, so that the next process can reclaim them.
 */
export async function keepHolds(
  ledger: Pick<LedgerStore, 'checkpoint'>,
  items: readonly Omit<PackedItem, 'body'>[],
): Promise<void> {
  for (let first = 0; first < items.length; first += HOLDS_AT_A_TIME)
    await ledger.checkpoint(items.slice(first, first + HOLDS_AT_A_TIME).map(checkpointOf));
}

function checkpointOf({ nativeItem, held }: Omit<PackedItem, 'body'>): HoldCheckpoint {
  const { batch, number } = nativeItem.item.lease;
  return { ...held, away: { batch, number } };
}
