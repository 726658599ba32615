import { NodeClosed } from '../../base/errors/node-closed.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import type { AdminParts } from '../../console/admin/admin-parts.ts';
import { answerFleet } from '../../console/admin/provider-views-in-fleet.ts';
import { answerQueue } from '../../console/admin/queue-in-fleet.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Gateway } from '../../inference/gateway/gateway.ts';
import { Conversations } from '../../inference/responses/conversations.ts';
import { CacheShares } from '../../inference/settlement/cache-shares.ts';
import { VendorIds } from '../../inference/stream/vendor-ids.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { simulatorWanted } from '../../settings/hosts/build-providers.ts';
import { configHash } from '../../settings/snapshot/config-hash.ts';
import { readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { embedSimulator } from '../../simulator/serving/embed-simulator.ts';
import { wires as allWires } from '../../translation/canonical/wire.ts';
import { closesConnections } from '../../upstream/capacity/overload.ts';
import { CredentialRegistry } from '../../upstream/credentials/credential-registry.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';
import { NodeWatch } from '../../watch/nodes/node-watch.ts';
import { ownNode } from '../../watch/nodes/own-node.ts';
import type { Exposition } from '../../watch/observability/exposition.ts';
import { implausibleUsageTeller } from '../../watch/observability/implausible-usage.ts';
import { observeEdge } from '../../watch/observability/observe-edge.ts';
import { capturingReader } from '../../watch/requests/capturing-reader.ts';
import { acceptsKey } from './accepts-key.ts';
import { firstStartOf } from './accounts-of.ts';
import { addMetrics } from './add-metrics.ts';
import { assembleBatches, type Batches } from './assemble-batches.ts';
import { type AssembledBilling, assembleBilling } from './assemble-billing.ts';
import { type AssembledPeople, assemblePeople } from './assemble-people.ts';
import { ConfigurationFiles } from './configuration-files.ts';
import { type AssemblyInputs, createFoundation, type Foundation } from './create-foundation.ts';
import { createDialects, createWires } from './create-protocols.ts';
import { createServingParts, type ServingParts } from './create-serving-parts.ts';
import { createTelemetry } from './create-telemetry.ts';
import { followChanges } from './follow-changes.ts';
import { listenOptions } from './listen-options.ts';
import { openDoors } from './open-doors.ts';
import { routeTable } from './route-table.ts';
import type { Storage } from './storage.ts';

/** Chooses and connects all concrete parts of the gateway. */
export async function assemble(
  ground: AssemblyInputs,
): Promise<AssembledServer | { problems: ConfigProblem[] } | { workersOf: Config }> {
  const dialects = createDialects();
  const wires = createWires();
  const simulator = embedSimulator();
  const credentials = new CredentialRegistry();
  const around = {
    spoken: new Set([...wires.keys(), ...dialects.map(({ dialect }) => dialect.wire)]),
    simulatorFor: (config: Config) => (simulatorWanted(config) ? simulator.start(config.simulator) : null),
    credentialOf: credentials.of,
  };
  const first = await readSnapshot(ground.origin, { ...around, generation: 1 });
  if ('problems' in first) {
    await simulator.stop();
    return first;
  }
  const holder = new SnapshotHolder(ground.origin, around, first);
  const { config } = holder.current;
  if (config.server.workers > 1 && !ground.worker) {
    await simulator.stop();
    return { workersOf: config };
  }
  const foundation = await startOrStop(
    () => createFoundation({ ground, holder, credentials, dialects, wires, stopSimulator: simulator.stop }),
    simulator.stop,
  );
  return startOrStop(
    async () =>
      build(foundation, await ground.adminTokenHash(foundation.config, foundation.storage.installation)),
    async () => {
      foundation.bounds.close();
      await foundation.alerts.close();
      return Promise.all([simulator.stop(), foundation.storage.close()]);
    },
  );
}

function gatewayOf(
  { wires, storage, bounds, alerts, clock, logger }: Foundation,
  rooms: ServingParts,
): Gateway {
  const { authenticator, routing, open, largeAnswers, counter } = rooms;
  const { content } = rooms.requests;
  const readBody = capturingReader(rooms.readBody, content);
  const readForm = capturingReader(rooms.readForm, content);
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
    readForm,
    routing,
    till,
    open,
    largeAnswers,
    turns: rooms.turns,
    counter,
    shares: new CacheShares(crypto.getRandomValues(new Uint32Array(1))[0]!),
    wires,
    vendorIds: new VendorIds(),
    conversations,
  };
}

type Furnished = {
  rooms: ServingParts;
  gateway: Gateway;
  batches: Batches;
  billing: AssembledBilling;
  adminTokenHash: string;
  nodes: NodeDirectory;
} & AssembledPeople;

const routesOf = (
  { dialects, storage, alerts, ground, holder }: Foundation,
  { rooms, nodes, ...served }: Furnished,
): Route[] =>
  routeTable({
    ...{ ...rooms, ...served, dialects, storage, requests: rooms.requests.book },
    keyUses: rooms.requests.keyUses,
    content: rooms.requests.content,
    routing: drainingEverywhere(rooms.routing, storage),
    alerts: alerts.book,
    reportFaults: (faults) => alerts.faults.verified(faults),
    fleet: ground.worker?.fleet,
    nodes,
    isDraining: () => rooms.state.draining,
    configuration: new ConfigurationFiles({
      ...{ origin: ground.origin, reload: rooms.reload, spoken: new Set(allWires) },
      refusesWrites: () => whyManyReaders(nodes, ground.worker !== undefined),
    }),
    examine: (isLive) =>
      ground.examine(
        { origin: ground.origin, snapshot: holder.current, storeProblem: () => storage.store.problem() },
        isLive,
      ),
  });

/** Several processes read files of their own, so no one of them may change its file. */
async function whyManyReaders(nodes: NodeDirectory, isWorker: boolean): Promise<string | undefined> {
  const serving = isWorker ? [] : (await nodes.list()).filter(({ closedAt }) => closedAt === null);
  return serving.length === 1
    ? undefined
    : 'Several processes read the configuration. Change the file of each.';
}

/** A drain by an operator holds on all nodes, also after a restart. */
const drainingEverywhere = (routing: Routing, { nodes }: Storage): AdminParts['routing'] => ({
  targetsOf: (id) => routing.targetsOf(id),
  async setDrained(id, isDrained) {
    await nodes?.setDrained(id, isDrained);
    routing.setDrained(id, isDrained);
  },
});

const nodeDirectoryOf = (
  { nodes, clock }: Storage,
  holder: SnapshotHolder,
  { metrics }: ServingParts,
): NodeDirectory =>
  nodes?.directory ??
  ownNode({
    clock,
    configHash: () => configHash(holder.current.config),
    openRequests: () => metrics.inFlight,
  });

/** Connects this process to the other nodes, if the store has several. */
async function joinNodes(
  { storage: { nodes }, holder, alerts, logger }: Foundation,
  rooms: ServingParts,
): Promise<void> {
  if (!nodes) return;
  const { authenticator } = rooms;
  const failed = (error: unknown) => logger.warn('change-not-followed', { error: String(error) });
  followChanges(nodes, { authenticator, alerts, failed });
  await nodes.start({
    capacity: rooms.capacity,
    providers: () => holder.current.providers.values(),
    openRequests: () => rooms.metrics.inFlight,
    abandon(nodeId) {
      rooms.tabs.abandonAll(new NodeClosed(nodeId));
      rooms.open.interruptOpen();
    },
    setDrained: (id, isDrained) => rooms.routing.setDrained(id, isDrained),
    reload: () => void rooms.reloadOwn('another node'),
  });
}

/** Answers the other workers of the port with what this one knows. */
function answerWorkers(
  { ground: { worker }, holder, clock }: Foundation,
  rooms: ServingParts,
  nodes: NodeDirectory,
): void {
  const fleet = worker?.fleet;
  fleet?.answer('metrics', (exposition) => rooms.metrics.format(exposition as Exposition));
  answerFleet(() => holder.current.providers.values(), { ...rooms, fleet });
  answerQueue({ ...rooms, fleet, nodes, clock });
}

type Closable = Pick<Furnished, 'rooms' | 'batches' | 'billing' | 'mail' | 'people'> & {
  telemetry: ReturnType<typeof createTelemetry>;
  nodeWatch: NodeWatch;
};

/** Closes each part after those that use it. */
async function closeInOrder(
  { storage, logger, stopSimulator, bounds, alerts }: Foundation,
  { rooms, batches, billing, telemetry, nodeWatch, mail, people }: Closable,
): Promise<void> {
  await batches.close();
  await billing.worker.close();
  await billing.shortfalls.close();
  await nodeWatch.close();
  await people.failedSignIns.settle();
  await mail.close();
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
  bounds.close();
  await alerts.close();
  await storage.nodes?.stop();
  await storage.close();
  logger.flush();
}

function build(foundation: Foundation, adminTokenHash: string) {
  const { holder, storage, logger } = foundation;
  const rooms = createServingParts(foundation);
  const nodes = nodeDirectoryOf(storage, holder, rooms);
  const nodeWatch = new NodeWatch(nodes, (level, event, fields) => logger[level](event, fields));
  const { connectionMetrics, telemetryMetrics } = addMetrics({ ...foundation, ...rooms, nodeWatch });
  const telemetry = createTelemetry(foundation, rooms.metrics, telemetryMetrics);
  const gateway = gatewayOf(foundation, rooms);
  const batches = assembleBatches({
    ...{ gateway, logger, dialects: foundation.dialects, authenticator: rooms.authenticator },
    ...{ store: storage.batches, metrics: rooms.metrics, tracer: telemetry },
    ...{ keeper: rooms.requests.keeper, content: rooms.requests.content },
    ...{ snapshot: () => holder.current, activity: rooms.activity, nodes: storage.nodes },
  });
  const peopleParts = assemblePeople(foundation, rooms.accounts);
  answerWorkers(foundation, rooms, nodes);
  const edge = {
    snapshot: () => holder.current,
    clock: foundation.clock,
    observer: observeEdge(logger, rooms.metrics, rooms.requests.keeper, telemetry),
    closesConnections: () => rooms.state.draining || closesConnections(rooms.overload.level),
    underWay: rooms.underWay,
  };
  const billing = assembleBilling(foundation, rooms.accounts);
  const routes = routesOf(foundation, {
    ...{ rooms, gateway, batches, billing, adminTokenHash, nodes, ...peopleParts },
  });
  return {
    snapshot: edge.snapshot,
    acceptsKey: (secret: string) => acceptsKey(secret, { ...foundation, store: storage.store }),
    ...{ accounts: rooms.accounts, reload: rooms.reload, logger },
    firstStart: firstStartOf({ ...foundation, installation: storage.installation }),
    inFlight: () => rooms.metrics.inFlight,
    /** Runs before `listen`. */
    async join() {
      await rooms.requests.content.refresh();
      await joinNodes(foundation, rooms);
      await nodeWatch.look();
    },
    listen() {
      const options = listenOptions(holder, connectionMetrics, foundation.ground.worker?.place);
      const adminListen = holder.current.config.server.admin_listen;
      const listener = openDoors({
        ...{ edge, routes, options, adminListen },
        count: (exchange) => rooms.windows.countNetwork(exchange),
      });
      rooms.descriptorWatch.guard(listener);
      connectionMetrics.read(listener.connections);
      rooms.probes.follow(holder.current.providers);
      rooms.providerAlerts.start();
      rooms.localServers.lookFrom(listener.port);
      batches.start();
      billing.worker.start();
      billing.shortfalls.start();
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
    close: () =>
      closeInOrder(foundation, {
        ...{ rooms, batches, billing, telemetry, nodeWatch, ...peopleParts },
      }),
  };
}

export type AssembledServer = ReturnType<typeof build>;
