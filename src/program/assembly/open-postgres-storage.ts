import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version, versionDate } from '../../base/build/version.ts';
import { newId } from '../../base/lib/ids.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { sweepBudgets } from '../../money/budgets/sweep-budgets.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { BillingRecords } from '../../store/billing-records.ts';
import { commonRecords } from '../../store/common-records.ts';
import { joinParts } from '../../store/join-parts.ts';
import type { Migrated } from '../../store/migrated.ts';
import { PayloadRecords } from '../../store/payload-records.ts';
import { PeopleRecords } from '../../store/people-records.ts';
import { PostgresBatches } from '../../store/postgres/batches/postgres-batches.ts';
import { PostgresBudgets } from '../../store/postgres/budgets/postgres-budgets.ts';
import { PostgresLedgerCare } from '../../store/postgres/care/postgres-ledger-care.ts';
import { PostgresLedgerReads } from '../../store/postgres/care/postgres-ledger-reads.ts';
import { connectAtStart } from '../../store/postgres/connect-at-start.ts';
import { Database } from '../../store/postgres/database.ts';
import { PostgresGate } from '../../store/postgres/gate/postgres-gate.ts';
import { PostgresLedger } from '../../store/postgres/ledger/postgres-ledger.ts';
import { migrate } from '../../store/postgres/migrate.ts';
import { DatabaseClock } from '../../store/postgres/nodes/database-clock.ts';
import { Membership } from '../../store/postgres/nodes/membership.ts';
import { openDatabase } from '../../store/postgres/open-database.ts';
import { PostgresAlerts } from '../../store/postgres/operation/postgres-alerts.ts';
import { PostgresRequests } from '../../store/postgres/operation/postgres-requests.ts';
import { PostgresUsage } from '../../store/postgres/operation/postgres-usage.ts';
import { PostgresHealth } from '../../store/postgres/postgres-health.ts';
import { PostgresInstallation } from '../../store/postgres/postgres-installation.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import { PostgresResponses } from '../../store/postgres/responses/postgres-responses.ts';
import { PostgresStoredBytes } from '../../store/postgres/responses/postgres-stored-bytes.ts';
import { readFreeBytes } from '../../store/postgres/responses/read-free-bytes.ts';
import { responseParameter } from '../../store/postgres/responses/response-write.ts';
import { schema } from '../../store/postgres/schema.ts';
import { ProviderFaults } from '../../store/provider-faults.ts';
import { SavedPrompts } from '../../store/saved-prompts.ts';
import { SettingRecords } from '../../store/setting-records.ts';
import { Shortfalls } from '../../store/shortfalls.ts';
import { FileSpool } from '../../store/spool/file-spool.ts';
import { NoSpool } from '../../store/spool/no-spool.ts';
import { prepareDirectory } from '../../store/sqlite/data-directory.ts';
import { lockDirectory } from '../../store/sqlite/directory-lock.ts';
import { StoredBackground } from '../../store/stored-background.ts';
import { StoredConversations } from '../../store/stored-conversations.ts';
import { StoredRecordings } from '../../store/stored-recordings.ts';
import { StoredRefusals } from '../../store/stored-refusals.ts';
import { StoredTraffic } from '../../store/traffic.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { PoolMetrics } from '../../watch/observability/pool-metrics.ts';
import { spoolMetric } from '../../watch/observability/spool-metric.ts';
import type { WorkerAssignment } from '../workers/worker-assignment.ts';
import { postgresHooks } from './postgres-hooks.ts';
import type { Storage } from './storage.ts';

export type PostgresStorageOrder = {
  config: Config;
  environment: Readonly<Record<string, string | undefined>>;
  logger: Logger;
  /** Is called after an upgrade of an older schema. */
  reportMigrated: (migrated: Migrated) => void;
  /** Returns the hash of the current configuration. */
  configHash: () => string;
  assignment: WorkerAssignment | undefined;
};

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

type Parts = Awaited<ReturnType<typeof connect>>;

/** Opens the store that several processes share, and registers this process as a node. */
export async function openPostgresStorage(order: PostgresStorageOrder): Promise<Storage> {
  const directory = nodeDirectory(order);
  prepareDirectory(directory);
  const lock = lockDirectory(directory);
  const parts = await startOrStop(
    () => connect(order),
    async () => lock.release(),
  );
  return startOrStop(
    () => open(order, { ...parts, directory, lock }),
    async () => {
      await parts.database.close();
      lock.release();
    },
  );
}

/** Each worker has a directory of its own for its spool. */
const nodeDirectory = ({ config, assignment }: PostgresStorageOrder): string => {
  const directory = resolve(config.store.data_dir);
  return assignment ? join(directory, `worker-${assignment.number}`) : directory;
};

async function connect({ config: { store }, logger, reportMigrated }: PostgresStorageOrder) {
  const metrics: PoolMetrics = new PoolMetrics(() => database.counts);
  const database: Database = openDatabase({ ...store, database_url: store.database_url! }, metrics);
  const report = (problem: string) => {
    logger.warn('database-awaited', { problem });
    logger.flush();
  };
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  try {
    await connectAtStart(database, {
      report,
      now: () => performance.now(),
      isStopped: () => isStopped,
    });
    const migrated = await migrate(database, schema);
    if (migrated) reportMigrated(migrated);
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
  return { database, metrics };
}

type Opened = Parts & { directory: string; lock: { release(): void } };

async function open(
  order: PostgresStorageOrder,
  { database, metrics, directory, lock }: Opened,
): Promise<Storage> {
  const { config, environment, logger, assignment, configHash } = order;
  const clock = new DatabaseClock((ms) => advance(database, ms, membership));
  const processName = newId('proc_');
  const nodeFile = new NodeFile(directory);
  const membership: Membership = new Membership({
    queries: database,
    clock,
    version,
    commitDate: versionDate,
    configHash,
    worker: assignment?.number ?? null,
    report: (level, event, fields) => logger[level](event, fields),
    registered: (id) => nodeFile.write(id),
  });
  const previousNode = nodeFile.read();
  const care = new PostgresLedgerCare(database);
  await membership.start();
  await care.start();
  const { gate, ledger } = createLedger(config, { database, membership, care, previousNode });
  const health = new PostgresHealth({
    connect: () => new Database({ url: config.store.database_url!, maxConnections: 1 }),
    process: processName,
  });
  const alerts = new PostgresAlerts(database, processName);
  const { spool, damaged } = await openSpool(config, directory);
  const queries = new PostgresQueries(database);
  const store = createStore(database, queries, { alerts, health });
  const isQuarantined = (accountId: string) => care.quarantineOf(accountId) !== undefined;
  const budgets = new PostgresBudgets({ database, isQuarantined });
  const stopSweeping = sweepBudgets(budgets, clock);
  const nodes = postgresHooks({ database, membership, care, gate, configHash, logger });
  return {
    kind: 'postgres',
    processName,
    store,
    ledger,
    budgets,
    gate,
    spool,
    clock,
    damagedSpoolLines: damaged,
    ...createRecords(queries),
    usage: new PostgresUsage(database),
    batches: new PostgresBatches({ database, node: () => membership.id }),
    movableClock: environment.TOLLGATE_TEST_CLOCK === '1' ? clock : undefined,
    installation: new PostgresInstallation(database),
    metrics: [...metrics.all, spoolMetric(() => spool.waiting.size)],
    nodes,
    freeBytes: (bound) => readFreeBytes(database, bound),
    async close() {
      stopSweeping();
      // A start that failed has not stopped the node, whose listener would keep the process alive.
      await nodes.stop();
      await care.stop();
      await gate.close();
      await alerts.close();
      await health.close();
      await spool.close?.();
      await database.close();
      lock.release();
    },
  };
}

type LedgerParts = {
  database: Database;
  membership: Membership;
  care: PostgresLedgerCare;
  /** The node that this directory was of before. */
  previousNode: ReturnType<NodeFile['read']>;
};

/** Creates the ledger of this node, and the gate that admits requests to it. */
function createLedger({ store }: Config, { database, membership, care, previousNode }: LedgerParts) {
  const identity = { id: () => membership.id, closed: () => membership.wasClosed() };
  const gate = new PostgresGate({
    database,
    identity,
    admitTimeoutMs: store.admit_timeout_ms,
    isQuarantined: (accountId) => care.quarantineOf(accountId) !== undefined,
  });
  const reads = new PostgresLedgerReads(database, care);
  const ledger = new PostgresLedger({
    database,
    gate,
    identity,
    previousNode,
    care,
    packResponse: responseParameter,
    reads,
    // A quarantine that cannot be written is tried again at the next read of the entry.
    quarantine: (accountId, reason) => void care.quarantines.add(accountId, reason).catch(() => {}),
    isArchived: (id) => reads.isArchived(id),
  });
  return { gate, ledger };
}

const createStore = (
  database: Database,
  queries: PostgresQueries,
  { alerts, health }: { alerts: PostgresAlerts; health: PostgresHealth },
): Storage['store'] =>
  joinParts(
    commonRecords(queries),
    new PostgresResponses(database),
    new PostgresRequests(database),
    alerts,
    health,
    new PostgresStoredBytes(database),
  );

/** Creates the records that both stores keep with the same statements. */
const createRecords = (queries: PostgresQueries) => ({
  people: new PeopleRecords(queries),
  billing: new BillingRecords(queries),
  shortfalls: new Shortfalls(queries),
  conversations: new StoredConversations(queries),
  background: new StoredBackground(queries),
  recordings: new StoredRecordings(queries),
  prompts: new SavedPrompts(queries),
  settings: new SettingRecords(queries),
  traffic: new StoredTraffic(queries),
  refusals: new StoredRefusals(queries),
  faults: new ProviderFaults(queries),
  payloads: new PayloadRecords(queries),
});

async function advance(database: Database, ms: number, membership: Membership): Promise<void> {
  await database.all('SELECT advance_clock($1, $2)', [Math.round(ms), membership.id]);
  await membership.pulseAnew();
}

type ClosableSpool = PostingSpool & { close?(): Promise<void> };

async function openSpool(
  { store }: Config,
  directory: string,
): Promise<{ spool: ClosableSpool; damaged: number }> {
  return store.spool === 'refuse' ? { spool: new NoSpool(), damaged: 0 } : await FileSpool.open(directory);
}

const OWNER_ONLY = 0o600;

/**
 * The id of the node on this directory.
 * The next process ends what a crash of this one leaves, without waiting for the other nodes.
 */
class NodeFile {
  readonly #path: string;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#path = join(directory, 'node');
  }

  read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  }

  write(id: string): void {
    writeFileSync(this.#path, `${id}\n`, { mode: OWNER_ONLY });
  }
}
