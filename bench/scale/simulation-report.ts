import { percentileOf } from '../percentile-of.ts';
import type { DatabaseWork } from './database-model.ts';
import { MAX_GROUP } from './grouped-calls.ts';
import type { SimulationOrder } from './simulation-order.ts';

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
export const WARM_UP = 0.25;

/** The outcome of a run. `addedMs` has the time that each served request spent at databases. */
export type SimulationOutcome = {
  databases: readonly Readonly<DatabaseWork>[];
  addedMs: readonly number[];
  /** The requests that arrived after the warm-up. */
  arrived: number;
  longestQueue: number;
};

const BYTES_PER_MEGABYTE = 1e6;

/** Computes the report of a run. */
export function buildReport(order: SimulationOrder, outcome: SimulationOutcome): SimulationReport {
  const { forMs, cores, answerMs, nodes, requestsPerSecond, times } = order;
  const { databases, addedMs, arrived, longestQueue } = outcome;
  const sumOf = (figure: keyof DatabaseWork) => databases.reduce((sum, work) => sum + work[figure], 0);
  const measuredMs = forMs * (1 - WARM_UP);
  // Requests that are under way at the end of the run are not late.
  const expected = arrived * (1 - answerMs / measuredMs);
  const groupSize = (2 * sumOf('requests')) / sumOf('statements');
  const logMegabytesPerSecond = sumOf('logBytes') / BYTES_PER_MEGABYTE / (forMs / 1_000);
  return {
    served: addedMs.length,
    kept: Math.min(1, addedMs.length / expected),
    addedP50Ms: percentileOf(addedMs, 0.5),
    addedP99Ms: percentileOf(addedMs, 0.99),
    loads: {
      databaseCores: sumOf('busyMs') / (forMs * cores * databases.length),
      databaseLog: logMegabytesPerSecond / databases.length / order.logMegabytesPerSecond,
      busiestAccount: databases[0]!.busiestAccountMs / forMs,
      nodeGroups: groupSize / MAX_GROUP,
      nodeCores: (requestsPerSecond * times.nodeMs) / 1_000 / nodes,
    },
    groupSize,
    logMegabytesPerSecond,
    longestQueue,
  };
}
