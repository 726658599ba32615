import { percentileOf } from '../percentile.ts';
import type { Finding } from './finding.ts';
import { formatMilliseconds, formatRatio } from './format-figure.ts';
import { type Arrivals, runOpenLoop } from './open-loop.ts';
import { isServed, type Sample } from './samples.ts';
import { capacityOf, type Load, type Surroundings, startLoadedGateway } from './start-loaded-gateway.ts';

/**
 * The load of paid requests as shares of the capacity.
 * The flood fills the load up to five times the capacity.
 */
const SHARES = [0.5, 0.8, 0.9, 1.1];
const WHOLE = 5;
const GOAL_RATIO = 1.2;
const SETTLING_MS = 2_500;
const MODEL = 'bench';
const load: Load = { models: { [MODEL]: 1 }, slots: 100, thinkingMs: 500, queueWaitSeconds: 10 };

function ofPaid(samples: readonly Sample[]) {
  const paid = samples.filter(({ name, dueMs }) => name === 'paid' && dueMs > SETTLING_MS);
  return {
    queueMs: percentileOf(
      paid.map(({ queueMs }) => queueMs),
      0.99,
    ),
    tookMs: percentileOf(
      paid.map(({ tookMs }) => tookMs),
      0.99,
    ),
    lost: paid.filter((sample) => !isServed(sample)).length,
  };
}

/** Compares the latency of paid requests with and without a flood of Free requests. */
export async function measureFlood(around: Surroundings, seconds: number): Promise<Finding[]> {
  const { url, paid, free } = await startLoadedGateway(around, load);
  const capacity = capacityOf(load, MODEL);
  const findings: Finding[] = [];
  for (const share of SHARES) {
    const own: Arrivals = { name: 'paid', model: MODEL, perSecond: capacity * share, url, keys: paid };
    const others: Arrivals = {
      name: 'free',
      model: MODEL,
      perSecond: capacity * (WHOLE - share),
      url,
      keys: free,
    };
    const alone = ofPaid(await runOpenLoop([own], { seconds }));
    const flooded = ofPaid(await runOpenLoop([own, others], { seconds }));
    findings.push({
      text:
        `paid at ${share} × capacity, p99 until answered: ${formatMilliseconds(alone.tookMs)} alone, ` +
        `${formatMilliseconds(flooded.tookMs)} flooded, × ${formatRatio(flooded.tookMs, alone.tookMs)}; of it in the queue ` +
        `${formatMilliseconds(alone.queueMs)} and ${formatMilliseconds(flooded.queueMs)}; not served ${alone.lost} and ${flooded.lost}`,
      goal: { text: `≤ ${GOAL_RATIO}`, isMet: flooded.tookMs <= GOAL_RATIO * alone.tookMs },
    });
  }
  return findings;
}
