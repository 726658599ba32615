import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Admitted } from '../../inference/hold/admitted.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Provider, Providers } from '../../settings/hosts/providers.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { ItemRun } from '../stored/item-run.ts';
import type { NativeStore, Submission } from './native-store.ts';
import type { NativeTransport } from './native-transport.ts';
import type { NativeWire } from './native-wire.ts';
import type { Packed } from './packed.ts';

/** An answer and the target that gave it. */
export type Delivered = Pick<Submission, 'wire' | 'upstreamModel'> & { provider: Provider; text: string };

export type NativeLaneParts = {
  store: NativeStore;
  ledger: Pick<LedgerStore, 'checkpoint' | 'void' | 'reclaim' | 'voidUnclaimed'>;
  transportOf(wire: NativeWire): NativeTransport;
  clock: Pick<Clock, 'now'>;
  /** Makes a random text that a provider accepts in an id. */
  newMark(): string;
  /** The time in which a provider lists a batch whose creation got no answer. `undefined` means 5 s. */
  settleMs?: number;
  providerOf(id: string): Provider | undefined;
  providers(): Providers;
  /** Packs an item with its hold, or refuses it. */
  pack(item: ClaimedItem, batch: RunningBatch): Promise<Packed | Refusal>;
  /** Runs an item by a normal call, if it cannot be sent natively. */
  runAlone(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun;
  /**
   * Writes the result and charge of an answer. `undefined` means that both are written. Throws if the store
   * is unavailable; the hold stays.
   */
  deliver(
    item: ClaimedItem,
    batch: RunningBatch,
    delivery: { answered: Delivered; admitted: Admitted },
  ): Promise<Refusal | undefined>;
  onFailure(error: unknown): void;
};
