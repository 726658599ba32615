import { MovableClock, steadyClock, systemClock } from '../../base/lib/clock.ts';
import { closeAll } from '../../base/lib/close-all.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { pick } from '../../base/lib/records.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { sweepBudgets } from '../../money/budgets/sweep-budgets.ts';
import { Limiter } from '../../money/limits/limiter.ts';
import { LocalGate } from '../../money/limits/local-gate.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { SchemaUpgrade } from '../../store/schema-upgrade.ts';
import { FileSpool } from '../../store/spool/file-spool.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { spoolMetric } from '../../watch/observability/spool-metric.ts';
import { StoreMetrics } from '../../watch/observability/store-metrics.ts';
import type { Storage } from './storage.ts';

/** The members of the store that are parts of the storage by themselves. */
const PARTS = [
  'ledger',
  'budgets',
  'batches',
  'people',
  'usage',
  'payloads',
  'billing',
  'shortfalls',
  'conversations',
  'background',
  'recordings',
  'prompts',
  'settings',
  'traffic',
  'countedRequests',
  'milestones',
  'refusals',
  'faults',
  'drains',
] as const satisfies readonly (keyof SqliteStore & keyof Storage)[];

const partsOf = (store: SqliteStore) => pick(store, PARTS);

/** Opens the store and the spool of a process that serves alone, in its data directory. */
export async function openEmbeddedStorage(
  { store: { data_dir: directory } }: Config,
  environment: Environment,
  reportMigrated: (migrated: SchemaUpgrade) => void,
): Promise<Storage> {
  const movableClock = environment.TOLLGATE_TEST_CLOCK === '1' ? new MovableClock() : undefined;
  const clock = movableClock ?? systemClock;
  const store = await openSqliteStore({ directory, clock, reportMigrated });
  const { spool, damaged } = await startOrStop(
    () => FileSpool.open(directory),
    () => store.close(),
  );
  const stopSweeping = sweepBudgets(store.budgets, clock);
  return {
    kind: 'embedded',
    store,
    ...partsOf(store),
    spool,
    clock,
    movableClock,
    damagedSpoolLines: damaged,
    gate: new LocalGate(store.ledger, new Limiter(steadyClock(clock))),
    metrics: [...storeMetrics(store), spoolMetric(() => spool.waiting.size)],
    freeBytes: () => store.freeBytes(),
    async close() {
      stopSweeping();
      await closeAll([() => store.close(), () => spool.close()]);
    },
  };
}

function storeMetrics(store: SqliteStore): Storage['metrics'] {
  const { writer } = store;
  const metrics = new StoreMetrics({
    size: () => store.fileBytes(),
    waitingWrites: () => writer.waiting,
    failures: () => writer.failures,
  });
  writer.observer = (writes, milliseconds) => metrics.committed(writes, milliseconds);
  return metrics.all;
}
