import { keysOf } from '../../src/base/lib/records.ts';
import { simulate } from './simulation.ts';
import type { SimulationOrder } from './simulation-order.ts';
import type { Loads, SimulationReport } from './simulation-report.ts';

/** A load, and the simulation of the plan at this load. */
type Trial = { requestsPerSecond: number; report: SimulationReport };

/** The highest load within the bound. */
export type Capacity = Trial & {
  /** The busiest resource at the lowest load that is beyond the bound. */
  bottleneck: keyof Loads;
};

/** The bounds that the plan must keep. */
export type Bound = { addedP99Ms: number };

/** Requests within the bound are under way at the end of a run too. A saturated plan keeps far fewer. */
const MIN_KEPT = 0.85;
const FIRST_LOAD = 1_000;
const HALVINGS = 6;
const MIN_MS = 600;
const MIN_REQUESTS = 10_000;

const isWithin = ({ kept, addedP99Ms, loads }: SimulationReport, bound: Bound): boolean =>
  kept >= MIN_KEPT && addedP99Ms <= bound.addedP99Ms && loads.nodeCores <= 1 && loads.databaseLog <= 1;

/** Returns the resource with the highest load. */
export function findBottleneck(loads: Loads): keyof Loads {
  const names = keysOf(loads);
  return names.reduce((busiest, name) => (loads[name] > loads[busiest] ? name : busiest));
}

/** Simulates a load for long enough to have enough requests. */
function tryLoad(order: SimulationOrder, requestsPerSecond: number): Trial {
  const forMs = Math.max(MIN_MS, (MIN_REQUESTS / requestsPerSecond) * 1_000);
  return { requestsPerSecond, report: simulate({ ...order, requestsPerSecond, forMs }) };
}

/** Finds the highest load that stays within the bound: it doubles the load and then halves the interval. */
export function findCapacity(order: SimulationOrder, bound: Bound): Capacity {
  let above = tryLoad(order, FIRST_LOAD);
  let within: Trial = { requestsPerSecond: 0, report: above.report };
  while (isWithin(above.report, bound)) {
    within = above;
    above = tryLoad(order, 2 * within.requestsPerSecond);
  }
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = tryLoad(order, (within.requestsPerSecond + above.requestsPerSecond) / 2);
    if (isWithin(middle.report, bound)) within = middle;
    else above = middle;
  }
  return { ...within, bottleneck: findBottleneck(above.report.loads) };
}
