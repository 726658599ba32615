import type { Finding } from '../overload/finding.ts';
import { formatRatio } from '../overload/format-figure.ts';
import { runOpenLoop } from '../overload/run-open-loop.ts';
import { isServed } from '../overload/samples.ts';
import { startLoadedGateway } from '../overload/start-loaded-gateway.ts';
import { percentileOf } from '../percentile-of.ts';
import type { Workplace } from '../workplace.ts';
import { BatchCaller } from './batch-caller.ts';

const MAX_RISE = 1.2;
const BATCHES = 50;
const LIVE_PER_SECOND = 100;
const THINKING_MS = 20;
const ROUNDS = 7;

/**
 * Measures the effect of fifty queued batches on live requests. Rounds with and without batches alternate,
 * since machines vary.
 */
export async function measureLive(workplace: Workplace, seconds: number): Promise<Finding[]> {
  const load = { models: { live: 1, batch: 1 }, slots: 500, thinkingMs: THINKING_MS, queueWaitSeconds: 60 };
  const { url, paid } = await startLoadedGateway(workplace, load);
  const caller = new BatchCaller({ url, key: paid[0]! });
  const measure = async (seed: number): Promise<number[]> => {
    const arrivals = { name: 'live', model: 'live', perSecond: LIVE_PER_SECOND, url, keys: paid.slice(1) };
    const samples = await runOpenLoop([arrivals], { seconds, seed });
    return samples.filter(isServed).map(({ tookMs }) => tookMs);
  };
  await measure(99);
  const alone: number[] = [];
  const withBatches: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(percentileOf(await measure(round), 0.99));
    const ids = await Promise.all(
      Array.from({ length: BATCHES }, () => caller.create('batch', { items: 1_000, bytesEach: 100 })),
    );
    withBatches.push(percentileOf(await measure(round), 0.99));
    for (const id of ids) await caller.cancel(id);
    for (const id of ids) await caller.untilEnded(id);
  }
  const before = percentileOf(alone, 0.5);
  const after = percentileOf(withBatches, 0.5);
  const text = [
    `p99 of ${LIVE_PER_SECOND} live requests a second: ${before.toFixed(1)} ms alone`,
    `${after.toFixed(1)} ms with ${BATCHES} queued batches`,
    `× ${formatRatio(after, before)} (medians of ${ROUNDS} rounds)`,
  ].join(', ');
  return [{ text, goal: { text: `× ${MAX_RISE} at most`, isMet: after <= before * MAX_RISE } }];
}
