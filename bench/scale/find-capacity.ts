import { keysOf } from '../../src/base/lib/records.ts';
import { type Loads, type SimulationOrder, type SimulationReport, simulate } from './simulation.ts';

export type Capacity = {
  requestsPerSecond: number;
  /** The simulation at this load. */
  report: SimulationReport;
  /** The busiest resource at the lowest load that is beyond the bound. */
  bottleneck: keyof Loads;
};

/** The bounds that the plan must keep. */
export type Bound = { addedP99Ms: number };

/** Requests within the bound are under way at the end of a run too. A saturated plan keeps far fewer. */
const leastKept = 0.85;
const steps = 6;
const leastMs = 600;
const leastRequests = 10_000;

const isWithin = ({ kept, addedP99Ms, loads }: SimulationReport, bound: Bound): boolean =>
  kept >= leastKept && addedP99Ms <= bound.addedP99Ms && loads.nodeCores <= 1 && loads.databaseLog <= 1;

/** Returns the resource with the highest load. */
export function findBottleneck(loads: Loads): keyof Loads {
  const names = keysOf(loads);
  return names.reduce((busiest, name) => (loads[name] > loads[busiest] ? name : busiest));
}

/** Finds the highest load that stays within the bound: it doubles the load and then halves the interval. */
export function findCapacity(order: SimulationOrder, bound: Bound): Capacity {
  const at = (requestsPerSecond: number) => {
    const forMs = Math.max(leastMs, (leastRequests / requestsPerSecond) * 1_000);
    return simulate({ ...order, requestsPerSecond, forMs });
  };
  let [low, high] = [0, 1_000];
  let beyond = at(high);
  let best = beyond;
  while (isWithin(beyond, bound)) {
    [low, best] = [high, beyond];
    high *= 2;
    beyond = at(high);
  }
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    const report = at(middle);
    if (isWithin(report, bound)) [low, best] = [middle, report];
    else [high, beyond] = [middle, report];
  }
  return { requestsPerSecond: low, report: best, bottleneck: findBottleneck(beyond.loads) };
}
