import { keysOf } from '../../base/lib/records.ts';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import { Conversations } from '../../inference/conversation/conversations.ts';
import type { Services } from '../../inference/request/services.ts';
import { VendorIds } from '../../inference/responses/vendor-ids.ts';
import { CacheShares } from '../../inference/settlement/cache-shares.ts';
import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { wantsSimulator } from '../../settings/hosts/simulator-provider.ts';
import { readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { embedSimulator } from '../../simulator/serving/embed-simulator.ts';
import { sealResponse } from '../../store/sealed/seal-response.ts';
import { CredentialRegistry } from '../../upstream/credentials/credential-registry.ts';
import { NodeWatch } from '../../watch/nodes/node-watch.ts';
import { implausibleUsageReporter } from '../../watch/observability/implausible-usage-reporter.ts';
import { observeEdge } from '../../watch/observability/observe-edge.ts';
import { captureBody } from '../../watch/requests/capture-body.ts';
import { addMetrics } from './add-metrics.ts';
import { assembleBackground } from './assemble-background.ts';
import { assembleBatches } from './assemble-batches.ts';
import { assembleBilling } from './assemble-billing.ts';
import { assemblePeople } from './assemble-people.ts';
import { assembleRecorded } from './assemble-recorded.ts';
import { assembleRoutes } from './assemble-routes.ts';
import { assembleSockets } from './assemble-sockets.ts';
import { AssembledServer } from './assembled-server.ts';
import { createDialects } from './create-dialects.ts';
import { type AssemblyInputs, createFoundation, type Foundation } from './create-foundation.ts';
import { createServingParts, type ServingParts } from './create-serving-parts.ts';
import { createRelay, createTelemetry } from './create-telemetry.ts';
import { createWires } from './create-wires.ts';
import { answerWorkers, nodeDirectoryOf } from './join-nodes.ts';

/**
 * Chooses and connects all concrete parts of the gateway. Returns the problems of a faulty configuration, or
 * the configuration of a process that only starts workers.
 */
export async function assemble(
  ground: AssemblyInputs,
): Promise<AssembledServer | { problems: ConfigProblem[] } | { workersOf: Config }> {
  const dialects = createDialects();
  const wires = createWires();
  const simulator = embedSimulator();
  const credentials = new CredentialRegistry();
  const surroundings = {
    supportedWires: new Set([
      ...wires.keys(),
      ...dialects.flatMap(({ dialect: { wire, otherWires = {} } }) => [wire, ...keysOf(otherWires)]),
    ]),
    simulatorFor: (config: Config) => (wantsSimulator(config) ? simulator.start(config.simulator) : null),
    credentialOf: credentials.of,
  };
  const firstSnapshot = await readSnapshot(ground.origin, { ...surroundings, generation: 1 });
  if ('problems' in firstSnapshot) {
    await simulator.stop();
    return firstSnapshot;
  }
  const holder = new SnapshotHolder(ground.origin, surroundings, firstSnapshot);
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

/** Returns the services that the steps of a request use. */
function servicesOf(
  { wires, storage, bounds, alerts, clock, logger, recapKey, seal }: Foundation,
  serving: ServingParts,
): Services {
  const { authenticator, routing, open, largeAnswers, counter } = serving;
  const { content } = serving.requests;
  const conversations = new Conversations({
    store: storage.store,
    clock,
    loads: serving.loads,
    yieldQueue: serving.yieldQueue,
    recapKey,
    named: serving.named,
    seal: (response) => sealResponse(seal, response),
  });
  return {
    authenticator,
    readBody: (exchange) => captureBody(content, exchange, serving.readBody(exchange)),
    readForm: (exchange, form) => captureBody(content, exchange, serving.readForm(exchange, form)),
    routing,
    ledger: storage.ledger,
    limits: serving.limits,
    storage: bounds.limits,
    clock,
    tabs: serving.tabs,
    reportImplausible: implausibleUsageReporter(logger, serving.metrics, (usage) =>
      alerts.faults.reportImplausibleUsage(usage),
    ),
    open,
    largeAnswers,
    starts: serving.starts,
    yieldQueue: serving.yieldQueue,
    counter,
    shares: new CacheShares(crypto.getRandomValues(new Uint32Array(1))[0]!),
    wires,
    vendorIds: new VendorIds(),
    conversations,
    recapKey,
  };
}

/** Connects the parts of the server, before it listens. */
function build(foundation: Foundation, adminTokenHash: string): AssembledServer {
  const { holder, storage, logger } = foundation;
  const serving = createServingParts(foundation);
  const nodes = nodeDirectoryOf(storage, holder, serving);
  serving.requests.countAs(() => nodes.ownId());
  const nodeWatch = new NodeWatch(nodes, (level, event, fields) => logger[level](event, fields));
  const { connectionMetrics, telemetryMetrics } = addMetrics({ ...foundation, ...serving, nodeWatch });
  const telemetry = createTelemetry(foundation, serving.metrics, telemetryMetrics);
  const relay = createRelay(foundation, telemetryMetrics);
  const services = servicesOf(foundation, serving);
  const batches = assembleBatches({
    services,
    logger,
    dialects: foundation.dialects,
    authenticator: serving.authenticator,
    store: storage.batches,
    metrics: serving.metrics,
    tracer: telemetry,
    keeper: serving.requests.keeper,
    content: serving.requests.content,
    snapshot: () => holder.current,
    activity: serving.activity,
    nodes: storage.nodes,
  });
  const background = assembleBackground(foundation, serving, { services, telemetry });
  const recorded = assembleRecorded(foundation, services, serving.gate.budget);
  const observer = observeEdge(foundation.logger, serving.metrics, serving.requests.keeper, telemetry);
  const sockets = assembleSockets(foundation, serving, { services, observer });
  const people = assemblePeople(foundation, serving);
  answerWorkers(foundation, serving, nodes);
  const billing = assembleBilling(foundation, serving.accounts);
  const routes = assembleRoutes(foundation, {
    serving,
    services,
    batches,
    background,
    recorded,
    sockets,
    billing,
    adminTokenHash,
    nodes,
    relay,
    ...people,
  });
  return new AssembledServer(foundation, {
    serving,
    batches,
    background,
    recorded,
    sockets,
    observer,
    billing,
    telemetry,
    relay,
    nodeWatch,
    nodes,
    routes,
    connectionMetrics,
    mail: people.mail,
    people: people.people,
  });
}
