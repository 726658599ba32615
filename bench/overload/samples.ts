/** One request as its client saw it. Times are counted from when it was due, whether or not it could be sent then. */
export type Sample = { name: string; dueMs: number; tookMs: number; status: number; queueMs: number };

export const isServed = ({ status }: Sample): boolean => status === 200;

export function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(0.99 * sorted.length) - 1)] ?? 0;
}

/** What was answered in a stretch of the run, a second. */
export function goodput(
  samples: readonly Sample[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
) {
  const served = samples.filter((sample) => {
    const doneMs = sample.dueMs + sample.tookMs;
    return isServed(sample) && doneMs >= fromMs && doneMs < untilMs;
  });
  return served.length / ((untilMs - fromMs) / 1_000);
}

/** Like `812 × 200, 3 × 503`. */
export function countStatuses(samples: readonly Sample[]): string {
  const byStatus = Map.groupBy(samples, ({ status }) => status);
  return [...byStatus].map(([status, { length }]) => `${length} × ${status || 'no answer'}`).join(', ');
}
