import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { DatabaseModel } from './database-model.ts';
import { EventQueue } from './event-queue.ts';
import { GroupedCalls, MAX_GROUP } from './node-model.ts';
import type { ServiceTimes } from './service-times.ts';

export type SimulationOrder = {
  nodes: number;
  accounts: number;
  requestsPerSecond: number;
  /** Databases, each with the accounts of one group. */
  databases: number;
  /** Cores of each database. */
  cores: number;
  /** The mean time of the provider's answer between admission and settlement. */
  answerMs: number;
  /** The share of requests that belongs to the busiest account. */
  hotShare: number;
  /** It is true if the load balancer sends an account only to the nodes of its database. */
  isRouted: boolean;
  /** The time of a packet between a node and its database and back. */
  roundTripMs: number;
  /** The megabytes that the disk of each database writes in a second. */
  logMegabytesPerSecond: number;
  forMs: number;
  seed: number;
  times: ServiceTimes;
};

/** The load of each resource. A resource with the load 1 cannot do more. */
export type Loads = {
  databaseCores: number;
  databaseLog: number;
  /** The settlements of the busiest account, one after the other. */
  busiestAccount: number;
  /** The groups of a node, of which one is under way, relative to full ones. */
  nodeGroups: number;
  /** The cores of the nodes, one for each. */
  nodeCores: number;
};

export type SimulationReport = {
  served: number;
  /** The share of the requests that ended in time. Below 1 the databases are saturated. */
  kept: number;
  addedP50Ms: number;
  addedP99Ms: number;
  loads: Loads;
  groupSize: number;
  logMegabytesPerSecond: number;
  longestQueue: number;
};

/** The part of the run that is not measured, in which queues fill. */
const WARM_UP = 0.25;

/** Simulates admissions and settlements of many nodes on partitioned databases. */
export function simulate(order: SimulationOrder): SimulationReport {
  const { nodes, databases, requestsPerSecond, forMs, seed, times } = order;
  const events = new EventQueue();
  const random = seededRandom(seed);
  const stores = Array.from({ length: databases }, () => new DatabaseModel(events, times, order.cores));
  const callsOf = (kind: 'gate' | 'settle') =>
    Array.from({ length: nodes }, () =>
      stores.map((database) => new GroupedCalls({ events, database, kind, roundTripMs: order.roundTripMs })),
    );
  const [gates, settles] = [callsOf('gate'), callsOf('settle')];
  const added: number[] = [];
  let begun = 0;
  let longestQueue = 0;
  const arrive = () => {
    events.after(-Math.log(1 - random()) * (1_000 / requestsPerSecond), arrive);
    const isMeasured = events.now > forMs * WARM_UP;
    if (isMeasured) begun += 1;
    const account = random() < order.hotShare ? 0 : 1 + Math.floor(random() * (order.accounts - 1));
    const store = account % databases;
    const node = pickNode(order, random(), store);
    const arrivedAt = events.now;
    gates[node]![store]!.call(account, () => {
      const admittedMs = events.now - arrivedAt;
      events.after(-Math.log(1 - random()) * order.answerMs, () => {
        const endedAt = events.now;
        settles[node]![store]!.call(account, () => {
          if (isMeasured) added.push(admittedMs + events.now - endedAt);
        });
      });
    });
    longestQueue = Math.max(longestQueue, stores[store]!.waiting);
  };
  arrive();
  events.runUntil(forMs);
  return reportOf({ stores, added, begun, longestQueue, order });
}

/** Routed accounts share the nodes of their database, which are every `databases`th one. */
function pickNode({ nodes, databases, isRouted }: SimulationOrder, chance: number, store: number): number {
  if (!isRouted || nodes < databases) return Math.floor(chance * nodes);
  const own = Math.floor((nodes - 1 - store) / databases) + 1;
  return store + databases * Math.floor(chance * own);
}

type Outcome = {
  stores: readonly DatabaseModel[];
  added: number[];
  begun: number;
  longestQueue: number;
  order: SimulationOrder;
};

function reportOf({ stores, added, begun, longestQueue, order }: Outcome): SimulationReport {
  const { forMs, cores, answerMs, nodes, requestsPerSecond, times } = order;
  const sorted = added.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const sum = (read: (store: DatabaseModel) => number) =>
    stores.reduce((total, each) => total + read(each), 0);
  const measuredMs = forMs * (1 - WARM_UP);
  // Requests that are under way at the end of the run are not late.
  const expected = begun * (1 - answerMs / measuredMs);
  const groupSize = (2 * sum(({ requests }) => requests)) / sum(({ statements }) => statements);
  const logMegabytesPerSecond = sum(({ logBytes }) => logBytes) / 1e6 / (forMs / 1_000);
  return {
    served: added.length,
    kept: Math.min(1, added.length / expected),
    addedP50Ms: at(0.5),
    addedP99Ms: at(0.99),
    loads: {
      databaseCores: sum(({ busyMs }) => busyMs) / (forMs * cores * stores.length),
      databaseLog: logMegabytesPerSecond / stores.length / order.logMegabytesPerSecond,
      busiestAccount: stores[0]!.busiestAccountMs / forMs,
      nodeGroups: groupSize / MAX_GROUP,
      nodeCores: (requestsPerSecond * times.nodeMs) / 1_000 / nodes,
    },
    groupSize,
    logMegabytesPerSecond,
    longestQueue,
  };
}
