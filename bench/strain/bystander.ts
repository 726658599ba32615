import { percentileOf } from '../percentile-of.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

const PING_EVERY_MS = 20;

/** Sends a request and reads its answer. Returns the time in milliseconds, and throws for a refusal. */
export async function timeRequest(url: string, options: RequestInit = {}): Promise<number> {
  const sentAt = performance.now();
  const answer = await fetch(url, options);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`a bystander's request: ${answer.status}`);
  return performance.now() - sentAt;
}

/**
 * Makes a call again and again, with a pause after each one. Returns a function that ends this, and that
 * returns the times of the calls.
 */
export function repeatCall(call: () => Promise<number>, pauseMs: number): () => Promise<number[]> {
  const timesMs: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      timesMs.push(await call());
      await Bun.sleep(pauseMs);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return timesMs;
  };
}

/** Sends small requests at intervals until the returned function is called. */
export const repeatPings = ({ url }: StrainedGateway): (() => Promise<number[]>) =>
  repeatCall(() => timeRequest(`${url}/healthz`), PING_EVERY_MS);

/** Formats the median and the 99th percentile of times in milliseconds. */
export const formatTimes = (timesMs: readonly number[]): string =>
  `p50 ${percentileOf(timesMs, 0.5).toFixed(0)} ms, p99 ${percentileOf(timesMs, 0.99).toFixed(0)} ms`;
