import type { HoldCheckpoint, LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { NativeItem } from './native-item.ts';

/** The number of holds in one write, since other writers wait for the disk. */
const AT_A_TIME = 250;

/**
 * Stores the holds of items before they are sent to a provider, so that the next process can reclaim them.
 */
export async function keepHolds(
  ledger: Pick<LedgerStore, 'checkpoint'>,
  items: readonly { away: NativeItem; held: HoldCheckpoint }[],
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_A_TIME)
    await ledger.checkpoint(items.slice(at, at + AT_A_TIME).map(checkpointOf));
}

function checkpointOf({ away, held }: { away: NativeItem; held: HoldCheckpoint }): HoldCheckpoint {
  const { batch, number } = away.item.lease;
  return { ...held, away: { batch, number } };
}
