import { EventLoopWatch } from '../../api/observability/event-loop-watch.ts';
import { implausibleUsageTeller } from '../../api/observability/implausible-usage.ts';
import type { Logger } from '../../api/observability/logger.ts';
import { observeEdge } from '../../api/observability/observe-edge.ts';
import { MovableClock, steadyClock, systemClock } from '../../base/lib/clock.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { Sweeper } from '../../base/lib/sweeper.ts';
import { Turns } from '../../base/lib/turns.ts';
import { BodyGate } from '../../edge/http/body-gate.ts';
import { createBodyReader } from '../../edge/http/read-body.ts';
import type { Route } from '../../edge/http/route.ts';
import { UnderWay } from '../../edge/http/under-way.ts';
import type { Gateway } from '../../inference/gateway/gateway.ts';
import { Conversations } from '../../inference/responses/conversations.ts';
import { Loads } from '../../inference/responses/loads.ts';
import { CacheShares } from '../../inference/settlement/cache-shares.ts';
import { Postings, type PostingsParts } from '../../inference/settlement/postings.ts';
import { Tabs } from '../../inference/settlement/tabs.ts';
import { type AnswerThread, LargeAnswers } from '../../inference/stream/large-answers.ts';
import { OpenAnswers } from '../../inference/stream/open-answers.ts';
import { createAccounts } from '../../money/accounts/accounts-service.ts';
import { hashKey, isWellFormedKey } from '../../money/accounts/key-format.ts';
import type { Quarantine } from '../../money/ledger/ledger-store.ts';
import { Limiter } from '../../money/limits/limiter.ts';
import { Limits } from '../../money/limits/limits.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { simulatorWanted } from '../../settings/hosts/build-providers.ts';
import { LocalServers } from '../../settings/local-servers/local-servers.ts';
import { type ConfigOrigin, readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { embedSimulator } from '../../simulator/serving/embed-simulator.ts';
import { FileSpool } from '../../store/spool/file-spool.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { HealthProbes } from '../../upstream/calling/health-probes.ts';
import { closesConnections } from '../../upstream/capacity/overload.ts';
import { addMetrics } from './add-metrics.ts';
import { assembleBatches, type Batches } from './assemble-batches.ts';
import { assembleRequests } from './assemble-requests.ts';
import { assembleStorage } from './assemble-storage.ts';
import { createAuthenticator } from './create-authenticator.ts';
import { createMemoryBudget } from './create-memory-budget.ts';
import { createDialects, createWires } from './create-protocols.ts';
import { createUpstream } from './create-upstream.ts';
import { listenOptions } from './listen-options.ts';
import { openDoors } from './open-doors.ts';
import { createReload, tellWarnings } from './reload.ts';
import { routeTable } from './route-table.ts';

/** The inputs of the assembly: the source of the configuration and the parts that depend on it first. */
export type AssemblyInputs = {
  origin: ConfigOrigin;
  adminToken: (config: Config) => string;
  logger: (config: Config) => Logger;
};

type Foundation = Awaited<ReturnType<typeof createFoundation>>;
type ServingParts = ReturnType<typeof createServingParts>;

/** Chooses and connects all concrete parts of the gateway. */
export async function assemble(
  ground: AssemblyInputs,
): Promise<AssembledServer | { problems: ConfigProblem[] }> {
  const dialects = createDialects();
  const wires = createWires();
  const simulator = embedSimulator();
  const around = {
    spoken: new Set([...wires.keys(), ...dialects.map(({ dialect }) => dialect.wire)]),
    simulatorFor: (config: Config) => (simulatorWanted(config) ? simulator.start(config.simulator) : null),
  };
  const first = await readSnapshot(ground.origin, { ...around, generation: 1 });
  if ('problems' in first) {
    await simulator.stop();
    return first;
  }
  const holder = new SnapshotHolder(ground.origin, around, first);
  const foundation = await startOrStop(
    () => createFoundation({ ground, holder, dialects, wires, stopSimulator: simulator.stop }),
    simulator.stop,
  );
  return startOrStop(
    () => build(foundation),
    () => {
      foundation.storage.close();
      return Promise.all([simulator.stop(), foundation.store.close(), foundation.spool.close()]);
    },
  );
}

/** Creates the parts that all others depend on. */
async function createFoundation(parts: {
  ground: AssemblyInputs;
  holder: SnapshotHolder;
  dialects: ReturnType<typeof createDialects>;
  wires: ReturnType<typeof createWires>;
  stopSimulator: () => Promise<void>;
}) {
  const { config } = parts.holder.current;
  const clock =
    parts.ground.origin.environment.TOLLGATE_TEST_CLOCK === '1' ? new MovableClock() : systemClock;
  const store = await openSqliteStore({ directory: config.store.data_dir, clock });
  const logger = parts.ground.logger(config);
  const spool = await startOrStop(
    () => openLedger({ store, logger, directory: config.store.data_dir }),
    () => store.close(),
  );
  const storage = await assembleStorage({ store, clock, logger, holder: parts.holder });
  return { ...parts, config, clock, store, spool, storage, logger };
}

/** Settles the requests that an earlier process left open, before the first request. */
async function openLedger({
  store,
  logger,
  directory,
}: {
  store: SqliteStore;
  logger: Logger;
  directory: string;
}) {
  const { spool, damaged } = await FileSpool.open(directory);
  if (damaged > 0) logger.error('spool-damaged', { lines: damaged });
  watchQuarantines(store, logger);
  // The spool comes first: a request with an exact settlement must not be billed by its last checkpoint.
  const left = [...spool.waiting];
  await store.ledger.replay(left.map(([, posting]) => posting));
  await spool.remove(left.map(([requestId]) => requestId));
  await store.batches.recoverBatches();
  const recovered = await store.ledger.recoverHolds();
  if (left.length > 0) logger.warn('spool-drained', { settlements: left.length });
  if (recovered.billed + recovered.voided > 0) logger.warn('holds-recovered', recovered);
  if (recovered.damaged) logger.error('holds-damaged', { holds: recovered.damaged, hint: VERIFY });
  return spool;
}

const VERIFY = 'see `tollgate ledger verify`';

/** Logs each account with a damaged ledger. Other accounts are served. */
function watchQuarantines({ ledger }: SqliteStore, logger: Logger): void {
  const tell = ({ accountId, reason }: Quarantine) =>
    logger.error('account-quarantined', {
      ...{ account_id: accountId, reason },
      hint: `see \`tollgate ledger inspect ${accountId}\``,
    });
  for (const quarantine of ledger.quarantined()) tell(quarantine);
  ledger.onQuarantine(tell);
}

/** Creates the parts that serve requests. */
function createServingParts({ ground, holder, config, clock, store, spool, logger }: Foundation) {
  const limits = new Limits(new Limiter(steadyClock(clock)));
  const authenticator = createAuthenticator({ store, clock, limits });
  const eventLoop = new EventLoopWatch();
  const underWay = new UnderWay();
  const turns = new Turns();
  const { limitBytes, budget } = createMemoryBudget(config);
  const gate = new BodyGate({ underWay, budget, timeoutMs: config.server.body_timeout_s * 1_000 });
  const accounts = createAccounts({
    store,
    clock,
    plans: () => holder.current.plans,
    names: () => holder.current.names,
    resolveModelId: (spelling) => holder.current.catalog.resolve(spelling)?.entry.model.id,
    onKeyChanged: (hash) => authenticator.forgetKey(hash),
    onAccountChanged: (id) => authenticator.forgetAccount(id),
  });
  const upstream = createUpstream({ wallClock: clock, eventLoop, logger, limitBytes, memory: budget, turns });
  const probes = new HealthProbes({
    ...{ activity: upstream.activity, resources: upstream.resources },
    leaveAlone: (providerId, pauseMs) => {
      for (const { targets } of holder.current.catalog.entries)
        upstream.routing.leaveAlone(targets, providerId, pauseMs);
    },
  });
  const reload = createReload(holder, accounts, logger);
  tellWarnings(holder, logger);
  const localServers = new LocalServers({
    environment: ground.origin.environment,
    config: () => holder.current.config,
    take: (found) => holder.take(found),
    tell: (event, fields) => logger.info(event, fields),
  });
  return {
    authenticator,
    limits,
    accounts,
    requests: assembleRequests({ store, clock, logger, holder }, upstream.overload),
    eventLoop,
    gate,
    readBody: createBodyReader(gate, turns),
    turns,
    loads: new Loads({ gate, count: (...load) => limits.read(...load) }),
    ...upstream,
    probes,
    localServers,
    reload: async (actor: string) => {
      const outcome = await reload(actor);
      if (!('reloaded' in outcome)) return outcome;
      upstream.routing.follow(holder.current.providers.values());
      probes.follow(holder.current.providers);
      localServers.look();
      return outcome;
    },
    underWay,
    open: new OpenAnswers(),
    largeAnswers: new LargeAnswers({ start: startAnswerThread, turns }),
    counter: new TokenCounter(),
    tabs: new Tabs(
      new Postings({
        ...{ ledger: store.ledger, spool },
        now: () => steadyClock(clock).now(),
        storeProblem: () => store.problem(),
        tell: spoolTeller(logger),
      }),
      sweepFailed(logger, 'holds'),
    ),
    sweeper: new Sweeper((options) => store.sweepResponses(options), clock, sweepFailed(logger, 'responses')),
    state: { draining: false },
  };
}

const spoolTeller =
  (logger: Logger): PostingsParts['tell'] =>
  (event, facts) =>
    event === 'spool-drained' ? logger.warn(event, facts) : logger.error(event, facts);

const startAnswerThread = (): AnswerThread =>
  new Worker(new URL('./read-answers-in-thread.ts', import.meta.url).href);

const sweepFailed = (logger: Logger, what: string) => (error: unknown) =>
  logger.error('sweep-failed', { what, error: String(error) });

function gatewayOf({ wires, store, storage, clock, logger }: Foundation, rooms: ServingParts): Gateway {
  const { authenticator, readBody, routing, open, largeAnswers, counter } = rooms;
  const conversations = new Conversations({ store, clock, loads: rooms.loads, turns: rooms.turns });
  const { limits, tabs } = rooms;
  const till = {
    ...{ ledger: store.ledger, limits, storage: storage.limits, tabs, clock },
    tellImplausible: implausibleUsageTeller(logger, rooms.metrics),
  };
  return {
    authenticator,
    readBody,
    routing,
    till,
    open,
    largeAnswers,
    turns: rooms.turns,
    counter,
    shares: new CacheShares(),
    wires,
    conversations,
  };
}

type Furnished = { rooms: ServingParts; gateway: Gateway; batches: Batches };

const routesOf = (
  { dialects, store, config, clock, ground }: Foundation,
  { rooms, ...served }: Furnished,
): Route[] =>
  routeTable({
    ...{ ...rooms, ...served, dialects, store, clock, requests: rooms.requests.book },
    adminToken: ground.adminToken(config),
    isDraining: () => rooms.state.draining,
  });

function build(foundation: Foundation) {
  const { holder, store, spool, logger, stopSimulator } = foundation;
  const rooms = createServingParts(foundation);
  const connectionMetrics = addMetrics({ ...foundation, ...rooms });
  const gateway = gatewayOf(foundation, rooms);
  const batches = assembleBatches({
    ...{ gateway, logger, dialects: foundation.dialects, authenticator: rooms.authenticator },
    ...{ store: store.batches, metrics: rooms.metrics, keeper: rooms.requests.keeper },
    snapshot: () => holder.current,
  });
  const edge = {
    snapshot: () => holder.current,
    observer: observeEdge(logger, rooms.metrics, rooms.requests.keeper),
    closesConnections: () => rooms.state.draining || closesConnections(rooms.overload.level),
    underWay: rooms.underWay,
  };
  const routes = routesOf(foundation, { rooms, gateway, batches });
  return {
    snapshot: edge.snapshot,
    /** Reports whether a key is well-formed, known and not revoked. */
    async acceptsKey(secret: string): Promise<boolean> {
      if (!isWellFormedKey(secret, holder.current.names.keyPrefix)) return false;
      return (await store.findKeyByHash(hashKey(secret)))?.revokedAt === null;
    },
    accounts: rooms.accounts,
    reload: rooms.reload,
    logger,
    inFlight: () => rooms.metrics.inFlight,
    listen() {
      const options = listenOptions(holder, connectionMetrics);
      const adminListen = holder.current.config.server.admin_listen;
      const listener = openDoors({ edge, routes, options, adminListen });
      rooms.descriptorWatch.guard(listener);
      connectionMetrics.read(listener.connections);
      rooms.probes.follow(holder.current.providers);
      rooms.localServers.lookFrom(listener.port);
      batches.start();
      return listener;
    },
    interrupt() {
      rooms.underWay.stop();
      rooms.open.interrupt();
    },
    startDraining: () => {
      rooms.state.draining = true;
      batches.stop();
    },
    async close() {
      await batches.close();
      rooms.probes.close();
      rooms.localServers.close();
      rooms.gate.close();
      rooms.eventLoop.close();
      rooms.overload.close();
      rooms.descriptorWatch.close();
      rooms.resources.close();
      rooms.counter.close();
      rooms.largeAnswers.close();
      await rooms.tabs.close();
      await rooms.requests.close();
      rooms.client.close();
      await rooms.sweeper.close();
      await stopSimulator();
      foundation.storage.close();
      await store.close();
      await spool.close();
      logger.flush();
    },
  };
}

export type AssembledServer = ReturnType<typeof build>;
