import { join, resolve } from 'node:path';
import { version, versionDate } from '../../base/build/version.ts';
import { type Closing, closeAll } from '../../base/lib/close-all.ts';
import type { Environment } from '../../base/lib/environment.ts';
import { newId } from '../../base/lib/ids.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { sweepBudgets } from '../../money/budgets/sweep-budgets.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { BillingRecords } from '../../store/billing-records.ts';
import { commonRecords } from '../../store/common-records.ts';
import { joinParts } from '../../store/join-parts.ts';
import { NotedRequests } from '../../store/noted-requests.ts';
import { PayloadRecords } from '../../store/payload-records.ts';
import { PeopleRecords } from '../../store/people-records.ts';
import { PostgresBatches } from '../../store/postgres/batches/postgres-batches.ts';
import { PostgresBudgets } from '../../store/postgres/budgets/postgres-budgets.ts';
import { PostgresLedgerCare } from '../../store/postgres/care/postgres-ledger-care.ts';
import { Database } from '../../store/postgres/database.ts';
import { advanceClock } from '../../store/postgres/nodes/advance-clock.ts';
import { DatabaseClock } from '../../store/postgres/nodes/database-clock.ts';
import { Membership } from '../../store/postgres/nodes/membership.ts';
import { NodeFile } from '../../store/postgres/nodes/node-file.ts';
import { PostgresAlerts } from '../../store/postgres/operation/postgres-alerts.ts';
import { PostgresRequests } from '../../store/postgres/operation/postgres-requests.ts';
import { PostgresUsage } from '../../store/postgres/operation/postgres-usage.ts';
import { PostgresHealth } from '../../store/postgres/postgres-health.ts';
import { PostgresInstallation } from '../../store/postgres/postgres-installation.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import { PostgresResponses } from '../../store/postgres/responses/postgres-responses.ts';
import { PostgresStoredBytes } from '../../store/postgres/responses/postgres-stored-bytes.ts';
import { readFreeBytes } from '../../store/postgres/responses/read-free-bytes.ts';
import { ProviderDrains } from '../../store/provider-drains.ts';
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
import { StoredMilestones } from '../../store/stored-milestones.ts';
import { StoredRecordings } from '../../store/stored-recordings.ts';
import { StoredRefusals } from '../../store/stored-refusals.ts';
import { StoredTraffic } from '../../store/stored-traffic.ts';
import { spoolMetric } from '../../watch/observability/spool-metric.ts';
import type { WorkerAssignment } from '../workers/worker-assignment.ts';
import { type ConnectedPostgres, type ConnectOrder, connectPostgres } from './connect-postgres.ts';
import { createPostgresLedger } from './create-postgres-ledger.ts';
import { postgresHooks } from './postgres-hooks.ts';
import type { Storage } from './storage.ts';

export type PostgresStorageOrder = ConnectOrder & {
  environment: Environment;
  /** Returns the hash of the current configuration. */
  configHash: () => string;
  assignment: WorkerAssignment | undefined;
};

/** Opens the store that several processes share, and registers this process as a node. */
export async function openPostgresStorage(order: PostgresStorageOrder): Promise<Storage> {
  const directory = nodeDirectory(order);
  prepareDirectory(directory);
  const lock = lockDirectory(directory);
  const parts = await startOrStop(
    () => connectPostgres(order),
    async () => lock.release(),
  );
  const closings: Closing[] = [];
  return startOrStop(
    () => open(order, { ...parts, directory, lock, closings }),
    async () => {
      // A start that is repeated must not leave a node that still sends its heartbeat.
      await closeAll([...closings.reverse(), () => parts.database.close(), () => lock.release()]);
    },
  );
}

/** Each worker has a directory of its own for its spool. */
const nodeDirectory = ({ config, assignment }: PostgresStorageOrder): string => {
  const directory = resolve(config.store.data_dir);
  return assignment ? join(directory, `worker-${assignment.number}`) : directory;
};

/** `closings` gets what ends each part that was started, for an opening that fails. */
type OpenedParts = ConnectedPostgres & {
  directory: string;
  lock: { release(): void };
  closings: Closing[];
};

/** Creates the membership of this node, and the clock that its heartbeats set. */
function createMembership(
  { logger, assignment, configHash }: PostgresStorageOrder,
  { database, nodeFile }: { database: Database; nodeFile: NodeFile },
): { clock: DatabaseClock; membership: Membership } {
  const advance = async (ms: number) => {
    await advanceClock(database, { ms, by: membership.id });
    await membership.pulseAnew();
  };
  const clock = new DatabaseClock(advance);
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
  return { clock, membership };
}

async function open(
  order: PostgresStorageOrder,
  { database, metrics, directory, lock, closings }: OpenedParts,
): Promise<Storage> {
  const { config, databaseUrl, environment, logger, configHash } = order;
  const processName = newId('proc_');
  const nodeFile = new NodeFile(directory);
  const { clock, membership } = createMembership(order, { database, nodeFile });
  const previousNode = nodeFile.read();
  const care = new PostgresLedgerCare(database);
  closings.push(() => membership.stop());
  await membership.start();
  closings.push(() => care.stop());
  await care.start();
  const { gate, ledger } = createPostgresLedger(config, { database, membership, care, previousNode });
  const health = new PostgresHealth({
    connect: () => new Database({ url: databaseUrl, maxConnections: 1 }),
    process: processName,
  });
  const alerts = new PostgresAlerts(database, processName);
  closings.push(
    () => health.close(),
    () => alerts.close(),
    () => gate.close(),
  );
  const { spool, damaged } = await openSpool(config, directory);
  closings.push(async () => spool.close?.());
  const queries = new PostgresQueries(database);
  const store = createStore(database, queries, { alerts, health });
  const isQuarantined = (accountId: string) => care.quarantineOf(accountId) !== undefined;
  const budgets = new PostgresBudgets({ database, isQuarantined });
  const stopSweeping = sweepBudgets(budgets, clock);
  closings.push(stopSweeping);
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
      await closeAll([
        // A start that failed has not stopped the node, whose listener would keep the process alive.
        () => nodes.stop(),
        () => care.stop(),
        () => gate.close(),
        () => alerts.close(),
        () => health.close(),
        () => spool.close?.(),
        () => database.close(),
        () => lock.release(),
      ]);
    },
  };
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
  countedRequests: new NotedRequests(queries),
  milestones: new StoredMilestones(queries),
  refusals: new StoredRefusals(queries),
  faults: new ProviderFaults(queries),
  drains: new ProviderDrains(queries),
  payloads: new PayloadRecords(queries),
});

type ClosableSpool = PostingSpool & { close?(): Promise<void> };

async function openSpool(
  { store }: Config,
  directory: string,
): Promise<{ spool: ClosableSpool; damaged: number }> {
  return store.spool === 'refuse' ? { spool: new NoSpool(), damaged: 0 } : await FileSpool.open(directory);
}
