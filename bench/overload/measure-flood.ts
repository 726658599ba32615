import type { Workplace } from '../workplace.ts';
import type { Finding } from './finding.ts';
import { capacityOf, type Load } from './load.ts';
import { compareOutcomes, paidOutcomeOf } from './paid-outcome.ts';
import { type Arrivals, runOpenLoop } from './run-open-loop.ts';
import { startLoadedGateway } from './start-loaded-gateway.ts';

/** The rates of paid requests, as shares of the capacity. */
const PAID_SHARES = [0.5, 0.8, 0.9, 1.1];
/** The rate of paid and Free requests together, as a multiple of the capacity. */
const FLOODED_MULTIPLE = 5;
const MODEL = 'bench';
const load: Load<typeof MODEL> = {
  models: { [MODEL]: 1 },
  slots: 100,
  thinkingMs: 500,
  queueWaitSeconds: 10,
};

/** Compares the latency of paid requests with and without a flood of Free requests. */
export async function measureFlood(workplace: Workplace, seconds: number): Promise<Finding[]> {
  const gateway = await startLoadedGateway(workplace, load);
  const capacity = capacityOf(load, MODEL);
  const arrivalsOf = (name: 'paid' | 'free', multiple: number): Arrivals => ({
    name,
    model: MODEL,
    perSecond: capacity * multiple,
    url: gateway.url,
    keys: gateway[name],
  });
  const findings: Finding[] = [];
  for (const share of PAID_SHARES) {
    const paid = arrivalsOf('paid', share);
    const free = arrivalsOf('free', FLOODED_MULTIPLE - share);
    const alone = paidOutcomeOf(await runOpenLoop([paid], { seconds }));
    const flooded = paidOutcomeOf(await runOpenLoop([paid, free], { seconds }));
    const { text, ...compared } = compareOutcomes(alone, flooded);
    findings.push({ text: `paid at ${share} × capacity, ${text}`, ...compared });
  }
  return findings;
}
