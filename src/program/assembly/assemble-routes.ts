import type { AdminParts } from '../../console/admin/admin-parts.ts';
import type { Route } from '../../edge/http/route.ts';
import type { BackgroundResponses } from '../../inference/background/background-responses.ts';
import type { RecordedAnswers } from '../../inference/recording/recorded-answers.ts';
import { RecordedStreams } from '../../inference/recording/recorded-streams.ts';
import type { Services } from '../../inference/request/services.ts';
import type { ResponsesSockets } from '../../inference/socket/responses-sockets.ts';
import { wires as allWires } from '../../translation/canonical/wire.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';
import type { TelemetryRelay } from '../../watch/telemetry/telemetry-relay.ts';
import type { Batches } from './assemble-batches.ts';
import type { AssembledBilling } from './assemble-billing.ts';
import type { AssembledPeople } from './assemble-people.ts';
import { assembleSettings } from './assemble-settings.ts';
import { ConfigurationFiles } from './configuration-files.ts';
import type { Foundation } from './create-foundation.ts';
import type { ServingParts } from './create-serving-parts.ts';
import { routeTable } from './route-table.ts';
import type { Storage } from './storage.ts';

/** The parts that answer the routes. */
export type ConnectedParts = {
  serving: ServingParts;
  services: Services;
  batches: Batches;
  background: BackgroundResponses;
  recorded: RecordedAnswers;
  sockets: ResponsesSockets;
  billing: AssembledBilling;
  adminTokenHash: string;
  nodes: NodeDirectory;
  relay: TelemetryRelay;
} & AssembledPeople;

/** Connects the routes with the parts that answer them. */
export const assembleRoutes = (
  foundation: Foundation,
  { serving, nodes, ...served }: ConnectedParts,
): Route[] => {
  const { dialects, storage, alerts, ground, holder } = foundation;
  return routeTable({
    ...serving,
    ...served,
    dialects,
    storage,
    streams: new RecordedStreams({
      store: storage.recordings,
      ledger: storage.ledger,
      clock: storage.clock,
      holder: served.recorded.holder,
      running: (id) => served.recorded.running(id),
    }),
    requests: serving.requests.book,
    traffic: serving.requests.traffic,
    keyUses: serving.requests.keyUses,
    eventStreams: serving.events,
    payloads: serving.requests.content,
    routing: drainingEverywhere(serving.routing, storage),
    alerts: alerts.book,
    reportFaults: (verified) => alerts.faults.reportVerification(verified),
    fleet: ground.worker?.fleet,
    nodes,
    isDraining: () => serving.state.draining,
    settings: assembleSettings(foundation, serving.accounts),
    settingsProblem: foundation.settings.problem,
    configuration: new ConfigurationFiles({
      origin: ground.origin,
      reload: serving.reload,
      supportedWires: new Set(allWires),
      refusesWrites: () => whyManyReaders(nodes, ground),
    }),
    examine: (how) =>
      ground.examine(
        { origin: ground.origin, snapshot: holder.current, storeProblem: () => storage.store.problem() },
        how,
      ),
  });
};

/** Returns why no process may change its file: several processes read files of their own. */
async function whyManyReaders(
  nodes: NodeDirectory,
  { worker }: Pick<Foundation['ground'], 'worker'>,
): Promise<string | undefined> {
  const isAlone = !worker && (await nodes.list()).filter(({ closedAt }) => closedAt === null).length === 1;
  return isAlone ? undefined : 'Several processes read the configuration. Change the file of each.';
}

/** Drains providers for an operator. A drain holds on all nodes, even after a restart. */
const drainingEverywhere = (routing: Routing, { drains, clock }: Storage): AdminParts['routing'] => ({
  targetsOf: (id) => routing.targetsOf(id),
  isDrained: async (id) => (await drains.drainedProviders()).has(id),
  async setDrained(id, isDrained) {
    await drains.setDrained(id, isDrained ? clock.now() : null);
    routing.setDrained(id, isDrained);
  },
});
