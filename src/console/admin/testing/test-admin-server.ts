import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import { type Clock, MovableClock } from '../../../base/lib/clock.ts';
import { BatchDirectory } from '../../../batches/collections/batch-directory.ts';
import { BudgetService } from '../../../customers/budgets/budget-service.ts';
import { MailCourier } from '../../../customers/mail/mail-courier.ts';
import {
  createPeopleServices,
  type PeopleServicesParts,
} from '../../../customers/people/create-people-services.ts';
import { handleRequest } from '../../../edge/http/edge.ts';
import { createTestEdge } from '../../../edge/http/testing/create-test-edge.ts';
import { fromLoopback } from '../../../edge/http/testing/from-loopback.ts';
import { createAccounts } from '../../../money/accounts/create-accounts.ts';
import { hashKey } from '../../../money/accounts/key-format.ts';
import { Catalog } from '../../../settings/catalog/catalog.ts';
import { sampleEntry } from '../../../settings/catalog/testing/sample-entry.ts';
import { sampleProvider } from '../../../settings/hosts/testing/sample-provider.ts';
import { sampleSnapshot } from '../../../settings/snapshot/testing/sample-snapshot.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import type { SqliteStore } from '../../../store/sqlite/sqlite-store.ts';
import { ProviderActivity } from '../../../upstream/calling/provider-activity.ts';
import { Capacity } from '../../../upstream/capacity/capacity.ts';
import { FaultRecorder } from '../../../watch/faults/fault-recorder.ts';
import { PayloadLogging } from '../../../watch/requests/payload-logging.ts';
import { RequestBook } from '../../../watch/requests/request-book.ts';
import { TrafficReport } from '../../../watch/traffic/traffic-report.ts';
import { type AdminGateParts, createAdminGate } from '../admin-gate.ts';
import type { AdminParts } from '../admin-parts.ts';
import { adminRoutes } from '../admin-routes.ts';
import type { ReloadOutcome } from '../reload-outcome.ts';

export const TOKEN = 'the-admin-token';
const authorization = { authorization: `Bearer ${TOKEN}` };

const provider = sampleProvider({
  id: 'local',
  baseUrl: 'https://user:secret@example.org/v1?key=secret',
  apiKey: 'upstream-secret',
  query: 'key=secret',
  headers: { 'x-secret': 'upstream-secret' },
  maxConcurrent: 8,
  source: 'file',
});
const entry = sampleEntry({
  model: {
    id: '@svc/small',
    displayName: 'Small',
    ownedBy: 'test',
    created: 1_750_000_000,
    plan: 'free',
    launch: true,
    delivery: 'optimized',
    contextWindow: 8_192,
    maxOutput: null,
    capabilities: { tools: true, reasoning: false, vision: false, documents: false },
    reasoningEfforts: [],
    supportedParameters: [],
    routes: [{ provider: 'local', model: 'upstream-small', weight: 1, wires: null, refuses: [], cost: null }],
  },
  aliases: ['svc-small'],
  nativeWires: ['openai-chat'],
  lacks: [],
});
const catalog = new Catalog({
  entries: [entry],
  spellings: new Map([entry.model.id, 'svc-small'].map((name) => [name, entry])),
  bridges: new Map(),
});
const snapshot = sampleSnapshot('', { catalog, providers: new Map([['local', provider]]) });

const target = {
  model: 'upstream-small',
  circuit: 'closed',
  pauseLeftMs: 0,
  inFlight: 1,
  errorShare: 0.25,
  firstByteMs: { whole: 12.5, stream: null },
} as const;

/** Creates a function that calls the routes through the edge, without a port. */
function callOver(routes: ReturnType<typeof adminRoutes>) {
  const edge = createTestEdge(routes, snapshot);
  return async (endpoint: string, body?: unknown, headers: Record<string, string> = authorization) => {
    const [method = '', path] = endpoint.split(' ');
    const request = new Request(`http://host/admin/v1${path}`, {
      method,
      headers: { host: 'host', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await handleRequest(edge, request, fromLoopback);
    // biome-ignore lint/suspicious/noExplicitAny: foreign JSON
    return { status: response.status, body: (await response.json()) as any };
  };
}

const openPeopleServices = (parts: Pick<PeopleServicesParts, 'store' | 'accounts' | 'courier'>) =>
  createPeopleServices({
    ...parts,
    config: () => snapshot.config,
    forgetKeys: () => {},
    now: Date.now,
    onNotRecorded: () => {},
  });

const clearing = (accounts: AdminParts['accounts']): AdminParts['shortfalls'] => ({
  clear: (id, actor) => accounts.change(id, { hostedToolsStopped: false }, actor),
});

/** A server without a configuration file. */
const noConfiguration: AdminParts['configuration'] = {
  show: async () => ({ file: null, text: null, hash: null, isWritable: false, reason: 'no file' }),
  check: async () => [],
  write: async () => ({ kind: 'changed' }),
};

const alertsIn = (store: SqliteStore): AdminParts['alerts'] => ({
  list: (page) => store.listAlerts(page),
  find: (id) => store.findAlert(id),
  test: async () => undefined,
});
const nothingLearned = { list: () => [], forget: () => 0 };
const testNodes = { list: async () => [], configHash: () => 'hash', ownId: () => 'node_test' };
const testGate = { firstTokenHash: hashKey(TOKEN), wait: async () => {} };

const routingOf = (activity: ProviderActivity): AdminParts['routing'] => ({
  targetsOf: () => [target],
  isDrained: (id) => activity.isDrained(id),
  setDrained: (id, isDrained) => (isDrained ? activity.drain(id) : activity.undrain(id)),
});

/**
 * Starts the admin API with its own store, without a port. A given directory is kept when the server closes.
 */
export async function startAdminServer(given?: string) {
  const directory = given ?? mkdtempSync(join(tmpdir(), 'tollgate-admin-'));
  const clock = new MovableClock();
  const store = await openSqliteStore({ directory, clock });
  const activity = new ProviderActivity(clock);
  const reloads = {
    next: { reloaded: true, generation: 2, restart_needed: [], warnings: [] } as ReloadOutcome,
  };

  const accounts = createAccounts({
    store,
    clock,
    plans: () => snapshot.plans,
    names: () => snapshot.names,
    resolveModelId: (spelling) => catalog.find(spelling)?.model.id,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  });
  const courier = sendingNothing();
  const gateOver = (changed: Partial<AdminGateParts>) =>
    createAdminGate({ ...testGate, accounts, store, clock, ...changed });
  const people = openPeopleServices({ store: store.people, accounts, courier });
  const parts: AdminParts = {
    configuration: noConfiguration,
    tokens: gateOver({}).service,
    accounts,
    shortfalls: clearing(accounts),
    activity,
    capacity: new Capacity(clock),
    routing: routingOf(activity),
    learned: nothingLearned,
    settings: noSettings,
    clock,
    movableClock: clock,
    keyUses: { of: async () => new Map() },
    nodes: testNodes,
    ledger: store.ledger,
    stored: store,
    alerts: alertsIn(store),
    reportFaults: () => {},
    batches: new BatchDirectory({ store: store.batches, runner: { active: [] }, clock }),
    people,
    budgets: budgetsIn(store, { accounts, people, clock }),
    mail: courier,
    payloads: payloadLogging(store, clock),
    traffic: new TrafficReport({ store: store.traffic, now: () => clock.now() }),
    milestones: store.milestones,
    refusals: store.refusals,
    faults: new FaultRecorder({ store: store.faults, now: () => clock.now(), began() {}, onFailure() {} }),
    keys: store,
    requests: new RequestBook({ store, now: () => clock.now(), keptMs: () => 86_400_000 }),
    readBody: async ({ request }) => parseBodyAtOnce(await request.text()),
    reload: async () => reloads.next,
    examine: async ({ isLive }) => ({
      configFile: null,
      findings: [{ check: 'live', status: isLive ? 'fail' : 'ok', message: 'examined', mend: null }],
    }),
  };
  const routes = adminRoutes(parts, gateOver({}));
  const call = callOver(routes);
  const newAccount = async (plan = 'starter'): Promise<string> =>
    (await call('POST /accounts', { name: 'Ada', plan })).body.id;
  const close = () => store.close().then(() => given === undefined && rmSync(directory, { recursive: true }));
  /** Creates a second server on the same store with some parts replaced. */
  const callWith = (changed: Partial<AdminParts>, gate: Partial<AdminGateParts> = {}) =>
    callOver(adminRoutes({ ...parts, ...changed }, gateOver(gate)));
  return { clock, routes, call, callWith, newAccount, close, activity, ledger: store.ledger, reloads };
}

const sendingNothing = () =>
  new MailCourier({
    settings: () => snapshot.config.mail,
    send: async () => {},
    now: Date.now,
    report: () => {},
  });

type BudgetTestParts = Pick<AdminParts, 'accounts' | 'people' | 'clock'>;

const budgetsIn = ({ ledger }: SqliteStore, { accounts, people, clock }: BudgetTestParts) =>
  new BudgetService({
    store: ledger.budgets,
    memberships: people.memberships,
    accounts,
    ledger,
    clock,
    onChange: () => {},
  });
/** Stored settings are tested with whole servers. */
const noSettings = {
  providers: { create: refused, change: refused, remove: refused, draft: () => new Refusal('conflict') },
  models: { create: refused, change: refused, remove: refused },
  secrets: { rotate: refused },
} as const;

async function refused(): Promise<Refusal> {
  return new Refusal('conflict');
}

const payloadLogging = (store: SqliteStore, clock: Clock) =>
  new PayloadLogging({
    store: store.payloads,
    now: () => clock.now(),
    config: () => snapshot.config.payloads,
    onFailure: () => {},
  });
