import type { Examination } from '../../api/admin/admin-dependencies.ts';
import { EventLoopWatch } from '../../api/observability/event-loop-watch.ts';
import { implausibleUsageTeller } from '../../api/observability/implausible-usage.ts';
import type { Logger } from '../../api/observability/logger.ts';
import { observeEdge } from '../../api/observability/observe-edge.ts';
import { steadyClock } from '../../base/lib/clock.ts';
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
import { Postings } from '../../inference/settlement/postings.ts';
import { Tabs } from '../../inference/settlement/tabs.ts';
import { type AnswerThread, LargeAnswers } from '../../inference/stream/large-answers.ts';
import { OpenAnswers } from '../../inference/stream/open-answers.ts';
import { createAccounts } from '../../money/accounts/accounts-service.ts';
import { Limits } from '../../money/limits/limits.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { simulatorWanted } from '../../settings/hosts/build-providers.ts';
import { LocalServers } from '../../settings/local-servers/local-servers.ts';
import { type ConfigOrigin, readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { embedSimulator } from '../../simulator/serving/embed-simulator.ts';
import { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { HealthProbes } from '../../upstream/calling/health-probes.ts';
import { closesConnections } from '../../upstream/capacity/overload.ts';
import { acceptsKey } from './accepts-key.ts';
import { addMetrics } from './add-metrics.ts';
import { assembleAlerts } from './assemble-alerts.ts';
import { assembleBatches, type Batches } from './assemble-batches.ts';
import { assembleRequests } from './assemble-requests.ts';
import { assembleStorageBounds } from './assemble-storage-bounds.ts';
import { createAuthenticator } from './create-authenticator.ts';
import { createMemoryBudget } from './create-memory-budget.ts';
import { createDialects, createWires } from './create-protocols.ts';
import { createTelemetry } from './create-telemetry.ts';
import { createUpstream } from './create-upstream.ts';
import { listenOptions } from './listen-options.ts';
import { openDoors } from './open-doors.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { openLedger, spoolTeller } from './open-ledger.ts';
import { createReload, tellWarnings } from './reload.ts';
import { routeTable } from './route-table.ts';
import { watchProviders } from './watch-providers.ts';

/** The inputs of the assembly: the source of the configuration and the parts that depend on it first. */
export type AssemblyInputs = {
  origin: ConfigOrigin;
  adminToken: (config: Config) => string;
  logger: (config: Config) => Logger;
  examine: Examine;
};

/** Examines the server with the settings that it serves. The command line brings the checks. */
export type Examine = (
  server: { origin: ConfigOrigin; snapshot: Snapshot; storeProblem: () => Promise<string | undefined> },
  isLive: boolean,
) => Promise<Examination>;

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
    async () => {
      foundation.bounds.close();
      await foundation.alerts.close();
      return Promise.all([simulator.stop(), foundation.storage.close()]);
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
  const storage = await openEmbeddedStorage(config, parts.ground.origin.environment);
  const { store, clock } = storage;
  const logger = parts.ground.logger(config);
  const alerts = await startOrStop(
    () => assembleAlerts({ store, clock, logger, holder: parts.holder }),
    () => storage.close(),
  );
  await startOrStop(
    () => openLedger({ storage, logger, alerts }),
    () => alerts.close().then(() => storage.close()),
  );
  const tellLow = (facts: Record<string, unknown>) => alerts.faults.diskLow(facts);
  const bounds = await assembleStorageBounds({ storage, logger, holder: parts.holder, tellLow });
  return { ...parts, config, clock, storage, alerts, bounds, logger };
}

/** Creates the parts that serve requests. */
function createServingParts(foundation: Foundation) {
  const { ground, holder, config, clock, storage, logger } = foundation;
  const { store, ledger, spool } = storage;
  const limits = new Limits(storage.gate);
  const authenticator = createAuthenticator({ storage, clock, limits });
  const eventLoop = new EventLoopWatch();
  const underWay = new UnderWay();
  const turns = new Turns();
  const { limitBytes, budget } = createMemoryBudget(config);
  const gate = new BodyGate({ underWay, budget, timeoutMs: config.server.body_timeout_s * 1_000 });
  const accounts = accountsOf(foundation, authenticator);
  const upstream = createUpstream({
    ...{ wallClock: clock, eventLoop, logger, limitBytes, memory: budget, turns },
    keyChanged: (providerId, isRefused) => providerAlerts.keyChanged(providerId, isRefused),
  });
  const providerAlerts = watchProviders(foundation, upstream);
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
    loads: new Loads({ gate, count: (...load) => limits.load(...load) }),
    ...upstream,
    probes,
    providerAlerts,
    localServers,
    reload: async (actor: string) => {
      const outcome = await reload(actor);
      if (!('reloaded' in outcome)) return outcome;
      upstream.routing.follow(holder.current.providers.values());
      probes.follow(holder.current.providers);
      localServers.look();
      await foundation.alerts.follow();
      return outcome;
    },
    underWay,
    open: new OpenAnswers(),
    largeAnswers: new LargeAnswers({ start: startAnswerThread, turns }),
    counter: new TokenCounter(),
    tabs: new Tabs(
      new Postings({
        ...{ ledger, spool },
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

const accountsOf = (
  { storage: { store }, clock, holder }: Foundation,
  authenticator: ReturnType<typeof createAuthenticator>,
) =>
  createAccounts({
    store,
    clock,
    plans: () => holder.current.plans,
    names: () => holder.current.names,
    resolveModelId: (spelling) => holder.current.catalog.resolve(spelling)?.entry.model.id,
    onKeyChanged: (key) => authenticator.forgetKey(key),
    onAccountChanged: (id) => authenticator.forgetAccount(id),
  });

const startAnswerThread = (): AnswerThread =>
  new Worker(new URL('./read-answers-in-thread.ts', import.meta.url).href);

const sweepFailed = (logger: Logger, what: string) => (error: unknown) =>
  logger.error('sweep-failed', { what, error: String(error) });

function gatewayOf(
  { wires, storage, bounds, alerts, clock, logger }: Foundation,
  rooms: ServingParts,
): Gateway {
  const { authenticator, readBody, routing, open, largeAnswers, counter } = rooms;
  const conversations = new Conversations({
    store: storage.store,
    clock,
    loads: rooms.loads,
    turns: rooms.turns,
  });
  const { limits, tabs } = rooms;
  const till = {
    ...{ ledger: storage.ledger, limits, storage: bounds.limits, tabs, clock },
    tellImplausible: implausibleUsageTeller(logger, rooms.metrics, (usage) =>
      alerts.faults.implausible(usage),
    ),
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
  { dialects, storage, alerts, config, ground, holder }: Foundation,
  { rooms, ...served }: Furnished,
): Route[] =>
  routeTable({
    ...{ ...rooms, ...served, dialects, storage, requests: rooms.requests.book },
    alerts: alerts.book,
    tellFaults: (faults) => alerts.faults.verified(faults),
    adminToken: ground.adminToken(config),
    isDraining: () => rooms.state.draining,
    examine: (isLive) =>
      ground.examine(
        { origin: ground.origin, snapshot: holder.current, storeProblem: () => storage.store.problem() },
        isLive,
      ),
  });

function build(foundation: Foundation) {
  const { holder, storage, logger, stopSimulator } = foundation;
  const rooms = createServingParts(foundation);
  const { connectionMetrics, telemetryMetrics } = addMetrics({ ...foundation, ...rooms });
  const telemetry = createTelemetry(foundation, rooms.metrics, telemetryMetrics);
  const gateway = gatewayOf(foundation, rooms);
  const batches = assembleBatches({
    ...{ gateway, logger, dialects: foundation.dialects, authenticator: rooms.authenticator },
    ...{ store: storage.batches, metrics: rooms.metrics, keeper: rooms.requests.keeper, tracer: telemetry },
    ...{ snapshot: () => holder.current, activity: rooms.activity },
  });
  const edge = {
    snapshot: () => holder.current,
    clock: foundation.clock,
    observer: observeEdge(logger, rooms.metrics, rooms.requests.keeper, telemetry),
    closesConnections: () => rooms.state.draining || closesConnections(rooms.overload.level),
    underWay: rooms.underWay,
  };
  const routes = routesOf(foundation, { rooms, gateway, batches });
  const inFlight = () => rooms.metrics.inFlight;
  storage.follow?.({ ...rooms, logger, snapshot: edge.snapshot, inFlight });
  return {
    snapshot: edge.snapshot,
    acceptsKey: (secret: string) => acceptsKey(secret, { ...foundation, store: storage.store }),
    ...{ accounts: rooms.accounts, reload: rooms.reload, logger, inFlight },
    listen() {
      const options = listenOptions(holder, connectionMetrics);
      const adminListen = holder.current.config.server.admin_listen;
      const listener = openDoors({ edge, routes, options, adminListen });
      rooms.descriptorWatch.guard(listener);
      connectionMetrics.read(listener.connections);
      rooms.probes.follow(holder.current.providers);
      rooms.providerAlerts.start();
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
      rooms.providerAlerts.close();
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
      await telemetry?.close();
      rooms.client.close();
      await rooms.sweeper.close();
      await stopSimulator();
      foundation.bounds.close();
      await foundation.alerts.close();
      await storage.close();
      logger.flush();
    },
  };
}

export type AssembledServer = ReturnType<typeof build>;
