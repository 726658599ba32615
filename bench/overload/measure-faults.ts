import { percentileOf } from '../percentile.ts';
import type { Finding } from './finding.ts';
import { formatMilliseconds, formatRatio } from './format-figure.ts';
import { runOpenLoop } from './open-loop.ts';
import { countStatuses, isServed, type Sample } from './samples.ts';
import type { Mood } from './slow-upstream.ts';
import { capacityOf, type Load, type Surroundings, startLoadedGateway } from './start-loaded-gateway.ts';

const MOODS: readonly Mood[] = ['gone', 'failing', 'half', 'slow'];
const SETTLED_MS = 5_000;
const GOAL_RATIO = 2;
const WARM_UP_SECONDS = 4;
const RECOVERY_SECONDS = 8;
/**
 * Two models with three targets each. A target of the first one fails.
 * The second one shows the effects of the machine.
 */
const [ILL, WELL] = ['ill', 'well'];
const load: Load = { models: { [ILL]: 3, [WELL]: 3 }, slots: 15, thinkingMs: 300, queueWaitSeconds: 10 };

const p99Of = (samples: readonly Sample[], model: string, fromMs: number): number =>
  percentileOf(
    samples.filter(({ name, dueMs }) => name === model && dueMs >= fromMs).map(({ tookMs }) => tookMs),
    0.99,
  );

function findingOf(mood: Mood, samples: readonly Sample[]): Finding {
  const compared = (fromMs: number) => [p99Of(samples, ILL, fromMs), p99Of(samples, WELL, fromMs)] as const;
  const atFirst = compared(0);
  const settled = compared(SETTLED_MS);
  return {
    text:
      `one of three ${mood}: ${countStatuses(samples.filter(({ name }) => name === ILL))}; p99 × ${formatRatio(...atFirst)} ` +
      `of that with three healthy targets, × ${formatRatio(...settled)} from the fifth second on (${settled.map(formatMilliseconds).join(' and ')})`,
    goal: {
      text: `no error, < ${GOAL_RATIO}`,
      isMet: samples.every(isServed) && settled[0] < GOAL_RATIO * settled[1],
    },
  };
}

/** Measures the effect of one failing target of three, at half the capacity. */
export async function measureFaults(around: Surroundings, seconds: number): Promise<Finding[]> {
  const { url, paid: keys, controls } = await startLoadedGateway(around, load);
  const setMood = (mood: Mood) => fetch(controls[ILL]!, { method: 'PUT', body: mood });
  const arrivals = [ILL, WELL].map((model) => ({
    name: model,
    model,
    url,
    keys,
    perSecond: capacityOf(load, model) / 2,
  }));
  const findings: Finding[] = [];
  await runOpenLoop(arrivals, { seconds: WARM_UP_SECONDS, seed: 4 });
  for (const mood of MOODS) {
    await setMood(mood);
    const samples = await runOpenLoop(arrivals, { seconds: seconds + SETTLED_MS / 1_000 });
    await setMood('well');
    findings.push(findingOf(mood, samples));
    // The load runs until the target counts as healthy again.
    await runOpenLoop(arrivals, { seconds: RECOVERY_SECONDS, seed: 3 });
  }
  return findings;
}
