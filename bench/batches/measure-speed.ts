import type { Finding } from '../overload/finding.ts';
import { formatMilliseconds } from '../overload/format-figure.ts';
import { startLoadedGateway } from '../overload/start-loaded-gateway.ts';
import type { Workplace } from '../workplace.ts';
import { BatchCaller } from './batch-caller.ts';

const GOAL_MS = 3_000;
const ROUNDS = 5;

/** Measures the time from the creation of a batch to its end, with an upstream that answers at once. */
export async function measureSpeed(workplace: Workplace): Promise<Finding[]> {
  const load = { models: { instant: 1 }, slots: 1_000, thinkingMs: 0, queueWaitSeconds: 60 };
  const { url, paid } = await startLoadedGateway(workplace, load);
  const caller = new BatchCaller({ url, key: paid[0]! });
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const id = await caller.create('instant', { items: 1_000, bytesEach: 100 });
    await caller.untilEnded(id);
    tookMs.push(performance.now() - startedAt);
  }
  const slowest = Math.max(...tookMs);
  const text = `1,000 items at an instant upstream: ${tookMs.map(formatMilliseconds).join(', ')}`;
  return [{ text, goal: { text: `${formatMilliseconds(GOAL_MS)} each`, isMet: slowest <= GOAL_MS } }];
}
