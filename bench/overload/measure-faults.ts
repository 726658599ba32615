import { formatStatuses } from '../format-statuses.ts';
import type { Workplace } from '../workplace.ts';
import type { Finding } from './finding.ts';
import { formatMilliseconds, formatRatio } from './format-figure.ts';
import { capacityOf, type Load } from './load.ts';
import { type Arrivals, runOpenLoop } from './run-open-loop.ts';
import { isServed, p99Of, type Sample } from './samples.ts';
import type { Mood } from './slow-upstream.ts';
import { startLoadedGateway } from './start-loaded-gateway.ts';

const FAULTS: readonly Mood[] = ['gone', 'failing', 'half', 'slow'];
/** The time in which the gateway learns of the fault. */
const LEARNING_MS = 5_000;
const GOAL_RATIO = 2;
const WARM_UP_SECONDS = 4;
const RECOVERY_SECONDS = 8;
/** A target of the first model fails. The second model shows the effects of the machine. */
type Model = 'faulty' | 'healthy';
const load: Load<Model> = {
  models: { faulty: 3, healthy: 3 },
  slots: 15,
  thinkingMs: 300,
  queueWaitSeconds: 10,
};

/** Compares the requests that were due from this time on. */
function compareModels(samples: readonly Sample[], fromMs: number) {
  const p99 = (model: Model) =>
    p99Of(
      samples.filter(({ name, dueMs }) => name === model && dueMs >= fromMs),
      'tookMs',
    );
  return { faultyMs: p99('faulty'), healthyMs: p99('healthy') };
}

function findingOf(fault: Mood, samples: readonly Sample[]): Finding {
  const whole = compareModels(samples, 0);
  const settled = compareModels(samples, LEARNING_MS);
  const statuses = samples.filter(({ name }) => name === 'faulty').map(({ status }) => status);
  const times = [settled.faultyMs, settled.healthyMs].map(formatMilliseconds).join(' and ');
  return {
    text: [
      `one of three ${fault}: ${formatStatuses(statuses)}`,
      `p99 × ${formatRatio(whole.faultyMs, whole.healthyMs)} of that with three healthy targets`,
      `× ${formatRatio(settled.faultyMs, settled.healthyMs)} from the fifth second on (${times})`,
    ].join('; '),
    goal: {
      text: `no error, < ${GOAL_RATIO}`,
      isMet: samples.every(isServed) && settled.faultyMs < GOAL_RATIO * settled.healthyMs,
    },
  };
}

/** Measures the effect of one failing target of three, at half the capacity. */
export async function measureFaults(workplace: Workplace, seconds: number): Promise<Finding[]> {
  const { url, paid: keys, controls } = await startLoadedGateway(workplace, load);
  const setMood = (mood: Mood) => fetch(controls.faulty, { method: 'PUT', body: mood });
  const arrivalsOf = (model: Model): Arrivals => ({
    name: model,
    model,
    url,
    keys,
    perSecond: capacityOf(load, model) / 2,
  });
  const arrivals = [arrivalsOf('faulty'), arrivalsOf('healthy')];
  const findings: Finding[] = [];
  await runOpenLoop(arrivals, { seconds: WARM_UP_SECONDS, seed: 4 });
  for (const fault of FAULTS) {
    await setMood(fault);
    const samples = await runOpenLoop(arrivals, { seconds: seconds + LEARNING_MS / 1_000 });
    await setMood('well');
    findings.push(findingOf(fault, samples));
    // The load runs until the target counts as healthy again.
    await runOpenLoop(arrivals, { seconds: RECOVERY_SECONDS, seed: 3 });
  }
  return findings;
}
