import type { SpentMemory } from '../../base/jobs/spent-memory.ts';
import type { StartPace } from '../../base/jobs/start-pace.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { BatchStore, RunningBatch } from '../stored/batch-store.ts';
import type { ItemRun } from '../stored/item-run.ts';

export type RunnerParts = {
  store: BatchStore;
  clock: Clock;
  pace: StartPace;
  spent: SpentMemory;
  /** Returns the maximum number of concurrent items. */
  concurrency(): number;
  /** The signal's reason says why the item is called off. */
  run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun;
  /** Asks the providers not to start the batch's remaining items. */
  cancelAtProviders(batch: RunningBatch): void;
  /** Reports that every item of the batch has a result. */
  onEnded(batch: RunningBatch): MaybeLater<void>;
  onFailure(error: unknown): void;
  /** The time between two looks for changes of other nodes. Undefined if no other node runs batches. */
  refreshEveryMs?: number | undefined;
};
