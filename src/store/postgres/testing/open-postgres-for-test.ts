import { newId } from '../../../base/lib/ids.ts';
import { BillingRecords } from '../../billing-records.ts';
import { commonRecords } from '../../common-records.ts';
import { NotedRequests } from '../../noted-requests.ts';
import { PayloadRecords } from '../../payload-records.ts';
import { PeopleRecords } from '../../people-records.ts';
import { ProviderDrains } from '../../provider-drains.ts';
import { ProviderFaults } from '../../provider-faults.ts';
import { SavedPrompts } from '../../saved-prompts.ts';
import { SettingRecords } from '../../setting-records.ts';
import { Shortfalls } from '../../shortfalls.ts';
import { StoredConversations } from '../../stored-conversations.ts';
import { StoredMilestones } from '../../stored-milestones.ts';
import { StoredRecordings } from '../../stored-recordings.ts';
import { StoredRefusals } from '../../stored-refusals.ts';
import { StoredTraffic } from '../../stored-traffic.ts';
import type { OpenedStore } from '../../testing/conformance/store-test.ts';
import { PostgresBatches } from '../batches/postgres-batches.ts';
import { PostgresBudgets } from '../budgets/postgres-budgets.ts';
import { PostgresLedgerCare } from '../care/postgres-ledger-care.ts';
import { PostgresLedgerReads } from '../care/postgres-ledger-reads.ts';
import { Database } from '../database.ts';
import { PostgresGate } from '../gate/postgres-gate.ts';
import { PostgresLedger } from '../ledger/postgres-ledger.ts';
import { PostgresAlerts } from '../operation/postgres-alerts.ts';
import { PostgresRequests } from '../operation/postgres-requests.ts';
import { PostgresUsage } from '../operation/postgres-usage.ts';
import { PostgresHealth } from '../postgres-health.ts';
import { PostgresQueries } from '../postgres-queries.ts';
import { PostgresResponses } from '../responses/postgres-responses.ts';
import { PostgresStoredBytes } from '../responses/postgres-stored-bytes.ts';
import { responseParameter } from '../responses/response-write.ts';
import { type JoinedParts, joinParts } from './join-parts.ts';
import { registerNode } from './nodes-for-test.ts';
import { postgresForTest } from './postgres-for-test.ts';
import { prepareReset } from './prepare-reset.ts';

/** Its connections stay open over its tests, since a new one compiles the functions of the schema again. */
type EmptyDatabase = { url: string; database: Database; reset(): Promise<void> };

/** Databases that no test uses now. A reset costs a fiftieth of a new database. */
const idle: EmptyDatabase[] = [];

/** A loaded machine answers late. */
const connect = (url: string): Database => new Database({ url, maxConnections: 4, deadlineMs: 30_000 });

async function newDatabase(): Promise<EmptyDatabase> {
  const url = await (await postgresForTest()).create();
  const database = connect(url);
  return { url, database, reset: await prepareReset(database) };
}

/** Opens an empty database with all parts of the store, connected as those of a node are. */
export async function openPostgresForTest(): Promise<OpenedStore> {
  const empty = idle.pop() ?? (await newDatabase());
  let { database } = empty;
  let node = await openNode(empty);
  return {
    store: node.store,
    reopen: async () => {
      await node.leave();
      if (node.isClosed()) database = connect(empty.url);
      node = await openNode({ ...empty, database }, node.id);
      return node.store;
    },
    dispose: async () => {
      await node.leave();
      // A test that closes its connections gives its database to no other test.
      if (database !== empty.database || node.isClosed()) return database.close();
      await empty.reset();
      idle.push(empty);
    },
  };
}

async function openNode(
  { url, database }: EmptyDatabase,
  previousNode?: string,
): Promise<JoinedParts & { id: string }> {
  const id = newId('node_');
  const processName = newId('proc_');
  await registerNode(database, id);
  const identity = { id: () => id, closed: () => {} };
  const care = new PostgresLedgerCare(database);
  await care.start();
  const gate = new PostgresGate({
    database,
    identity,
    isQuarantined: (accountId) => care.quarantineOf(accountId) !== undefined,
  });
  await gate.checkEra();
  const reads = new PostgresLedgerReads(database, care);
  const ledger = new PostgresLedger({
    database,
    gate,
    identity,
    care,
    reads,
    packResponse: responseParameter,
    ...(previousNode !== undefined && { previousNode }),
    quarantine: (accountId, reason) => void care.quarantines.add(accountId, reason).catch(() => {}),
    isArchived: (entryId) => reads.isArchived(entryId),
  });
  const health = new PostgresHealth({
    connect: () => new Database({ url, maxConnections: 1 }),
    process: processName,
  });
  const alerts = new PostgresAlerts(database, processName);
  const batches = new PostgresBatches({ database, node: () => id });
  const queries = new PostgresQueries(database);
  const parts = [
    commonRecords(queries),
    new PostgresResponses(database),
    new PostgresRequests(database),
    alerts,
    health,
    new PostgresStoredBytes(database),
    {
      ledger,
      budgets: new PostgresBudgets({ database, isQuarantined: () => false }),
      batches,
      ...createRecords(queries),
      usage: new PostgresUsage(database),
    },
  ];
  const end = async () => {
    await care.stop();
    await gate.close();
    await alerts.close();
    await health.close();
    await database.run('DELETE FROM node WHERE id = $1', [id]);
  };
  return { id, ...joinParts(parts, { end, close: () => database.close() }) };
}

/** Creates the records that both stores keep with the same statements. */
const createRecords = (queries: PostgresQueries) => ({
  people: new PeopleRecords(queries),
  billing: new BillingRecords(queries),
  shortfalls: new Shortfalls(queries),
  prompts: new SavedPrompts(queries),
  recordings: new StoredRecordings(queries),
  settings: new SettingRecords(queries),
  traffic: new StoredTraffic(queries),
  countedRequests: new NotedRequests(queries),
  milestones: new StoredMilestones(queries),
  refusals: new StoredRefusals(queries),
  faults: new ProviderFaults(queries),
  drains: new ProviderDrains(queries),
  payloads: new PayloadRecords(queries),
  conversations: new StoredConversations(queries),
});
