import type { Spread } from '../benchmark-report.ts';
import { compareInRounds } from '../compare/figures.ts';
import { summarize } from '../summarize.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

/** Returns the number of workers in the name of a store. */
export const workersOf = (store: StoreName): number => Number(store.split('-')[1] ?? 1);

const divide = (own: number, other: number) => own / other;
const formatSpread = (spread: Spread | null, digits: number): string =>
  spread === null
    ? ''
    : `${spread.median.toFixed(digits)} (${spread.min.toFixed(digits)} to ${spread.max.toFixed(digits)})`;

/**
 * Formats a table of the CPU time of each request by the number of workers.
 * Ratios compare measurements of the same round.
 */
export function formatWorkerReport(all: readonly StoreMeasurement[]): string {
  const groups = [...Map.groupBy(all, ({ store }) => workersOf(store))].toSorted(
    ([one], [other]) => one - other,
  );
  const [, fewest = []] = groups[0] ?? [];
  const rows = groups.map(([workers, rows]) => {
    const ratio = (read: (row: StoreMeasurement) => number) =>
      formatSpread(compareInRounds({ rows, others: fewest, read, combine: divide }), 2);
    const figure = (read: (row: StoreMeasurement) => number, digits: number) =>
      formatSpread(summarize(rows.map(read)), digits);
    return [
      String(workers),
      figure((row) => row.nodeCpuUs, 0),
      ratio((row) => row.nodeCpuUs),
      figure((row) => row.databaseCpuUs, 0),
      ratio((row) => row.databaseCpuUs),
      figure((row) => row.requestsPerCommit, 1),
      String(rows.reduce((sum, { failures }) => sum + failures, 0)),
    ];
  });
  const titles = [
    'workers',
    'CPU of all workers µs',
    'ratio',
    'Postgres µs',
    'ratio',
    'requests per commit',
    'failures',
  ];
  return [titles, titles.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
