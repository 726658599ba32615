import { percentileOf } from '../percentile.ts';
import type { Finding } from './finding.ts';
import { formatMilliseconds } from './format-figure.ts';
import { runOpenLoop } from './open-loop.ts';
import { countStatuses, goodput, isServed } from './samples.ts';
import { capacityOf, type Load, type Surroundings, startLoadedGateway } from './start-loaded-gateway.ts';

const MULTIPLES = [0.5, 1, 2, 5];
const GOAL_SHARE = 0.9;
const MODEL = 'bench';
const load: Load = { models: { [MODEL]: 1 }, slots: 100, thinkingMs: 500, queueWaitSeconds: 2 };

/** Measures the goodput at increasing load, far beyond the capacity. */
export async function measureGoodput(around: Surroundings, seconds: number): Promise<Finding[]> {
  const { url, paid } = await startLoadedGateway(around, load);
  const capacity = capacityOf(load, MODEL);
  // The measurement starts when the queue is full.
  const stretch = { fromMs: 1_000 * load.queueWaitSeconds + load.thinkingMs, untilMs: seconds * 1_000 };
  let peak = 0;
  const findings: Finding[] = [];
  for (const multiple of MULTIPLES) {
    const arrivals = [{ name: 'paid', model: MODEL, perSecond: capacity * multiple, url, keys: paid }];
    const samples = await runOpenLoop(arrivals, { seconds });
    const good = goodput(samples, stretch);
    peak = Math.max(peak, good);
    const took = percentileOf(
      samples.filter(isServed).map(({ tookMs }) => tookMs),
      0.99,
    );
    const share = `${((good / peak) * 100).toFixed(1)} % of the peak so far`;
    const text = `${multiple} × ${capacity}/s: goodput ${good.toFixed(0)}/s, ${share}, p99 ${formatMilliseconds(took)} (${countStatuses(samples)})`;
    const isLast = multiple === MULTIPLES.at(-1);
    findings.push(
      isLast
        ? { text, goal: { text: `≥ ${100 * GOAL_SHARE} %`, isMet: good / peak >= GOAL_SHARE } }
        : { text },
    );
  }
  return findings;
}
