import { keysOf } from '../base/lib/records.ts';
import { WITHIN_MS } from './faults/fault.ts';
import type { FaultStore } from './faults/fault-store.ts';
import type { RefusalStore } from './refusals/refusal-store.ts';
import { trafficSteps } from './traffic/traffic-step.ts';
import type { TrafficStore } from './traffic/traffic-store.ts';

/** The most minutes, hours or days that one sweep removes. The next one continues. */
const MAX_PERIODS = 500;
/**
 * The most periods that one sweep merges. The embedded store serves no request while it merges one, so a
 * first merge is spread over many sweeps.
 */
const MAX_MERGES = 20;

/**
 * Days of this age are merged. A process can still write the day before. After a pause of the store it can
 * write earlier ones, which are merged again.
 */
const MERGE_AFTER_MS = 2 * trafficSteps.day.ms;

/** Failures of this age that raised no fault are removed. They count for a fault within half of this time. */
const UNRAISED_KEPT_MS = 2 * WITHIN_MS;

type Stores = {
  traffic: Pick<TrafficStore, 'sweepTraffic' | 'mergeDays'>;
  refusals: Pick<RefusalStore, 'sweepRefusals'>;
  faults: Pick<FaultStore, 'sweepFaults'>;
};

/**
 * Merges days of traffic, and removes expired sums of traffic, refusals and faults. One minute, hour or day
 * is one statement, so requests wait for no more than that.
 */
export async function sweepSums({ traffic, refusals, faults }: Stores, now: number): Promise<void> {
  const mergedBefore = Math.floor((now - MERGE_AFTER_MS) / trafficSteps.day.ms);
  for (let merges = 0; merges < MAX_MERGES; merges++) if (!(await traffic.mergeDays(mergedBefore))) break;
  for (const step of keysOf(trafficSteps)) {
    const { ms, keptMs } = trafficSteps[step];
    const before = Math.floor((now - keptMs) / ms);
    for (let periods = 0; periods < MAX_PERIODS; periods++)
      if ((await traffic.sweepTraffic(step, before)) === 0) break;
  }
  const { ms, keptMs } = trafficSteps.hour;
  await refusals.sweepRefusals(Math.floor((now - keptMs) / ms));
  await faults.sweepFaults({ before: now - keptMs, unraisedBefore: now - UNRAISED_KEPT_MS });
}
