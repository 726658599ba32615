import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Admitted } from '../../inference/hold/admitted.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Provider, Providers } from '../../settings/hosts/providers.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { ItemRun } from '../stored/item-run.ts';
import type { NativeAnswer } from './native-answer.ts';
import type { NativeStore } from './native-store.ts';
import type { NativeTransport } from './native-transport.ts';
import type { NativeWire } from './native-wire.ts';
import type { PackedRequest } from './packed-request.ts';

/** An answer to an item, and the admission of the item before it was sent. */
export type NativeDelivery = { answer: NativeAnswer; admitted: Admitted };

export type NativeLaneParts = {
  store: NativeStore;
  ledger: Pick<LedgerStore, 'checkpoint' | 'void' | 'reclaim' | 'voidUnclaimed'>;
  transportOf(wire: NativeWire): NativeTransport;
  clock: Pick<Clock, 'now'>;
  /** Makes a random text that a provider accepts in an id. */
  newMark(): string;
  providerOf(id: string): Provider | undefined;
  providers(): Providers;
  /** Packs an item with its hold, or refuses it. */
  pack(item: ClaimedItem, batch: RunningBatch): Promise<PackedRequest | Refusal>;
  /** Runs an item by a normal call, if it cannot be sent natively. */
  runAlone(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun;
  /**
   * Writes the result and the charge of an answer, or returns a refusal. Throws if the store is unavailable.
   * The hold then stays.
   */
  deliver(item: ClaimedItem, batch: RunningBatch, delivery: NativeDelivery): Promise<Refusal | undefined>;
  onFailure(error: unknown): void;
};
