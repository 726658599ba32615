import { percentileOf } from '../percentile-of.ts';

/** One request as its client saw it. Times start when the request was due, even if it was sent later. */
export type Sample = {
  /** The name of the arrivals that the request belongs to. */
  name: string;
  dueMs: number;
  tookMs: number;
  /** 0 if no answer arrived. */
  status: number;
  queueMs: number;
};

export const isServed = ({ status }: Sample): boolean => status === 200;

/** Returns the 99th percentile of one of the times. */
export const p99Of = (samples: readonly Sample[], time: 'tookMs' | 'queueMs'): number =>
  percentileOf(
    samples.map((sample) => sample[time]),
    0.99,
  );

/** Returns the number of answers per second in a part of the run. */
export function goodput(
  samples: readonly Sample[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): number {
  const served = samples.filter((sample) => {
    const doneMs = sample.dueMs + sample.tookMs;
    return isServed(sample) && doneMs >= fromMs && doneMs < untilMs;
  });
  return served.length / ((untilMs - fromMs) / 1_000);
}
