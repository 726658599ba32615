/** One request as its client saw it. Times start when the request was due, even if it was sent later. */
export type Sample = { name: string; dueMs: number; tookMs: number; status: number; queueMs: number };

export const isServed = ({ status }: Sample): boolean => status === 200;

/** Returns the number of answers per second in a part of the run. */
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

/** Counts the answers by status, like `812 × 200, 3 × 503`. */
export function countStatuses(samples: readonly Sample[]): string {
  const byStatus = Map.groupBy(samples, ({ status }) => status);
  return [...byStatus].map(([status, { length }]) => `${length} × ${status || 'no answer'}`).join(', ');
}
