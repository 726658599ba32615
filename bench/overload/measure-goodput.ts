import { formatStatuses } from '../format-statuses.ts';
import type { Workplace } from '../workplace.ts';
import type { Finding } from './finding.ts';
import { formatMilliseconds } from './format-figure.ts';
import { capacityOf, type Load } from './load.ts';
import { runOpenLoop } from './run-open-loop.ts';
import { goodput, isServed, p99Of } from './samples.ts';
import { startLoadedGateway } from './start-loaded-gateway.ts';

/** The rates of requests, as multiples of the capacity. The last rate has the goal. */
const MULTIPLES = [0.5, 1, 2, 5];
const GOAL_SHARE = 0.9;
const MODEL = 'bench';
const load: Load<typeof MODEL> = { models: { [MODEL]: 1 }, slots: 100, thinkingMs: 500, queueWaitSeconds: 2 };

/** Measures the goodput at increasing load, far beyond the capacity. */
export async function measureGoodput(workplace: Workplace, seconds: number): Promise<Finding[]> {
  const { url, paid: keys } = await startLoadedGateway(workplace, load);
  const capacity = capacityOf(load, MODEL);
  // The measurement starts when the queue is full.
  const measured = { fromMs: 1_000 * load.queueWaitSeconds + load.thinkingMs, untilMs: seconds * 1_000 };
  let peak = 0;
  let shareOfPeak = 0;
  const findings: Finding[] = [];
  for (const multiple of MULTIPLES) {
    const arrivals = { name: 'paid', model: MODEL, perSecond: capacity * multiple, url, keys };
    const samples = await runOpenLoop([arrivals], { seconds });
    const perSecond = goodput(samples, measured);
    peak = Math.max(peak, perSecond);
    shareOfPeak = perSecond / peak;
    const p99 = formatMilliseconds(p99Of(samples.filter(isServed), 'tookMs'));
    const statuses = formatStatuses(samples.map(({ status }) => status));
    const figures = [
      `goodput ${perSecond.toFixed(0)}/s`,
      `${(shareOfPeak * 100).toFixed(1)} % of the peak so far`,
      `p99 ${p99} (${statuses})`,
    ];
    findings.push({ text: `${multiple} × ${capacity}/s: ${figures.join(', ')}` });
  }
  const goal = { text: `≥ ${100 * GOAL_SHARE} %`, isMet: shareOfPeak >= GOAL_SHARE };
  return [...findings, { text: `at ${MULTIPLES.at(-1)} × the capacity`, goal }];
}
