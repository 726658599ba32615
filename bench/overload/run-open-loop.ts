import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import type { Sample } from './samples.ts';

/** Requests of one kind, which arrive at a mean rate. The keys take turns. */
export type Arrivals = {
  name: string;
  model: string;
  perSecond: number;
  url: string;
  keys: readonly string[];
};

const TICK_MS = 2;
const messages = [{ role: 'user', content: 'hello' }];

type ChatRequest = { url: string; key: string; model: string };

async function send({ url, key, model }: ChatRequest): Promise<Pick<Sample, 'status' | 'queueMs'>> {
  try {
    const body = JSON.stringify({ model, messages });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return { status: response.status, queueMs: Number(response.headers.get('x-svc-queue-ms') ?? 0) };
  } catch {
    return { status: 0, queueMs: 0 };
  }
}

/** Yields the due times of requests: a Poisson process with the same times in every run. */
function* dueTimes(perSecond: number, seed: number): Generator<number, never> {
  const random = seededRandom(seed);
  for (let dueMs = 0; ; dueMs += (-Math.log(1 - random()) / perSecond) * 1_000) yield dueMs;
}

/**
 * Sends requests on schedule, whether or not earlier ones have ended. A closed loop would slow down with the
 * server and hide its latency.
 */
export async function runOpenLoop(
  kinds: readonly Arrivals[],
  { seconds, seed = 1 }: { seconds: number; seed?: number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const sample = async ({ name, url, model, keys }: Arrivals, dueMs: number, number: number) => {
    const outcome = await send({ url, model, key: keys[number % keys.length]! });
    samples.push({ name, dueMs, tookMs: elapsedMs() - dueMs, ...outcome });
  };
  const schedules = kinds.map((arrivals, index) => {
    const times = dueTimes(arrivals.perSecond, seed + index);
    return { arrivals, times, nextMs: times.next().value, sent: 0 };
  });
  while (elapsedMs() < seconds * 1_000) {
    for (const schedule of schedules) {
      const { arrivals, times } = schedule;
      for (; schedule.nextMs <= elapsedMs(); schedule.nextMs = times.next().value)
        underWay.push(sample(arrivals, schedule.nextMs, schedule.sent++));
    }
    await Bun.sleep(TICK_MS);
  }
  await Promise.all(underWay);
  return samples;
}
