import type { StreamFigures } from './comparison.ts';

/** Returns the most streams of which none stalled in any round, up to the first number at which one did. */
export function findSteadyStreams(rows: readonly StreamFigures[]): number | null {
  if (rows.length === 0) return null;
  const byStreams = [...Map.groupBy(rows, ({ streams }) => streams)].toSorted(
    ([one], [other]) => one - other,
  );
  const failing = byStreams.findIndex(([, group]) => group.some(({ stalled }) => stalled > 0));
  const steady = failing < 0 ? byStreams : byStreams.slice(0, failing);
  return steady.at(-1)?.[0] ?? 0;
}
