import { summarize } from '../summarize.ts';
import type { LoadFigures } from './comparison.ts';

/** The bounds of the frontier on the 99th percentile, in milliseconds. */
export const tailsMs = [1, 5, 10, 50, 100] as const;

/**
 * Returns the most requests a second for each of `tailsMs`. A figure is `null` if no number of connections
 * stays below its bound without an error.
 */
export function findFrontier(rows: readonly LoadFigures[]): (number | null)[] {
  const byConnections = [...Map.groupBy(rows, ({ connections }) => connections).values()];
  const sound = byConnections
    .filter((group) => group.every(({ failures, badStatuses }) => failures + badStatuses === 0))
    .map((group) => ({
      p99Us: summarize(group.map(({ p99Us }) => p99Us))!.median,
      requestsPerSecond: summarize(group.map((row) => row.requestsPerSecond))!.median,
    }));
  return tailsMs.map((tailMs) => {
    const within = sound.filter(({ p99Us }) => p99Us <= tailMs * 1_000);
    return within.length === 0 ? null : Math.max(...within.map((group) => group.requestsPerSecond));
  });
}
