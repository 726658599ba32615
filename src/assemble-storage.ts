import type { Clock } from './lib/clock.ts';
import { type Free, FreeSpace } from './limits/free-space.ts';
import { StorageLimits } from './limits/storage-limits.ts';
import type { StoredBytes } from './limits/stored-bytes.ts';
import type { Logger } from './observability/logger.ts';
import { StorageMetrics } from './observability/storage-metrics.ts';
import type { SnapshotHolder } from './snapshot-holder.ts';

export type StorageParts = {
  store: StoredBytes & { freeBytes(): Promise<Free> };
  clock: Clock;
  holder: SnapshotHolder;
  logger: Logger;
};

/** What bounds how much is stored, with the first look at the disk behind it. */
export async function assembleStorage({ store, clock, holder, logger }: StorageParts) {
  const space = new FreeSpace({
    measure: () => store.freeBytes(),
    floorBytes: () => holder.current.config.store.min_free_mb * 1024 * 1024,
    tell: (event, facts) =>
      event === 'disk-space-low' ? logger.error(event, facts) : logger.warn(event, facts),
  });
  await space.look();
  const metrics = new StorageMetrics(space);
  const limits = new StorageLimits({
    ...{ stored: store, space, clock },
    observe: (what, why) => metrics.notStored(what, why),
  });
  return { limits, metrics: metrics.all, close: () => space.close() };
}
