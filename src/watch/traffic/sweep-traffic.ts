import { keysOf } from '../../base/lib/records.ts';
import { WITHIN_MS } from '../faults/fault.ts';
import type { FaultStore } from '../faults/fault-store.ts';
import type { RefusalStore } from '../refusals/refusal-store.ts';
import { trafficSteps } from './traffic-step.ts';
import type { TrafficStore } from './traffic-store.ts';

/** The most minutes, hours or days that one sweep removes. The next one continues. */
const AT_A_TIME = 500;
/**
 * The most periods that one sweep merges.
 * The embedded store serves no request while it merges one, so a first merge takes its time.
 */
const MERGES_AT_A_TIME = 20;

type Stores = {
  traffic: Pick<TrafficStore, 'sweepTraffic' | 'mergeDays'>;
  refusals: Pick<RefusalStore, 'sweepRefusals'>;
  faults: Pick<FaultStore, 'sweepFaults'>;
};

/**
 * Days of this age are merged. A process can still write the day before. After a pause of the store it can
 * write earlier ones, which are merged again.
 */
const UNMERGED_MS = 2 * trafficSteps.day.ms;

/**
 * Merges days and removes expired sums.
 * One minute, hour or day is one statement, so requests wait for no more than that.
 * Returns 0, so that a sweeper does not call it again at once.
 */
export async function sweepTraffic(
  { traffic, refusals, faults }: Stores,
  { now }: { now: number },
): Promise<number> {
  const mergedBefore = Math.floor((now - UNMERGED_MS) / trafficSteps.day.ms);
  for (let merged = 0; merged < MERGES_AT_A_TIME; merged++)
    if (!(await traffic.mergeDays(mergedBefore))) break;
  for (const step of keysOf(trafficSteps)) {
    const { ms, keptMs } = trafficSteps[step];
    const before = Math.floor((now - keptMs) / ms);
    for (let swept = 0; swept < AT_A_TIME; swept++)
      if ((await traffic.sweepTraffic(step, before)) === 0) break;
  }
  await refusals.sweepRefusals(Math.floor((now - trafficSteps.hour.keptMs) / trafficSteps.hour.ms));
  await faults.sweepFaults({ before: now - trafficSteps.hour.keptMs, unraisedBefore: now - 2 * WITHIN_MS });
  return 0;
}
