import type { Clock } from '../../base/lib/clock.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { FreeSpace } from '../../money/limits/free-space.ts';
import { StorageLimits } from '../../money/limits/storage-limits.ts';
import { quotaBytes, type StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { StorageMetrics } from '../../watch/observability/storage-metrics.ts';
import type { Storage } from './storage.ts';

export type StorageBoundsParts = {
  storage: { store: StoredBytes; clock: Clock } & Pick<Storage, 'freeBytes'>;
  holder: SnapshotHolder;
  logger: Logger;
  /** Reports each time that free space has become low. */
  reportLow(facts: Record<string, unknown>): void;
};

/** Creates the bounds on stored data and measures the free disk space once. */
export async function assembleStorageBounds({ storage, holder, logger, reportLow }: StorageBoundsParts) {
  const { store, clock } = storage;
  const space = new FreeSpace({
    measure: () => storage.freeBytes({ maxBytes: quotaBytes(holder.current.config.store.max_database_mb) }),
    floorBytes: () => holder.current.config.store.min_free_mb * MEGABYTE,
    log: (event, facts) => {
      if (event === 'disk-space-low') {
        logger.error(event, facts);
        reportLow(facts);
      } else {
        logger.warn(event, facts);
      }
    },
  });
  await space.look();
  const metrics = new StorageMetrics(space);
  const limits = new StorageLimits({
    stored: store,
    space,
    clock,
    observe: (what, why) => metrics.notStored(what, why),
  });
  return { limits, metrics: metrics.all, close: () => space.close() };
}
