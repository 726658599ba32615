import { ratioInRounds } from '../compare-in-rounds.ts';
import { formatMarkdownTable } from '../format-markdown-table.ts';
import { formatSpread } from '../format-spread.ts';
import { summarize } from '../summarize.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

/** Returns the number of workers in the name of a store. */
export const workersOf = (store: StoreName): number => Number(store.split('-')[1] ?? 1);

type Figure = 'nodeCpuUs' | 'databaseCpuUs' | 'requestsPerCommit';

const titles = [
  'workers',
  'CPU of all workers µs',
  'ratio',
  'Postgres µs',
  'ratio',
  'requests per commit',
  'failures',
];

/**
 * Formats a table of the CPU time of each request by the number of workers.
 * Ratios compare measurements of the same round.
 */
export function formatWorkerReport(measurements: readonly StoreMeasurement[]): string {
  const byWorkers = [...Map.groupBy(measurements, ({ store }) => workersOf(store))].toSorted(
    ([one], [other]) => one - other,
  );
  const [, ofFewest = []] = byWorkers[0] ?? [];
  const rows = byWorkers.map(([workers, own]) => {
    const spread = (figure: Figure, digits: number) =>
      formatSpread(summarize(own.map((row) => row[figure])), digits);
    const ratio = (figure: Figure) =>
      formatSpread(
        ratioInRounds({ rows: own, baseline: ofFewest }, (row) => row[figure]),
        2,
      );
    return [
      String(workers),
      spread('nodeCpuUs', 0),
      ratio('nodeCpuUs'),
      spread('databaseCpuUs', 0),
      ratio('databaseCpuUs'),
      spread('requestsPerCommit', 1),
      String(own.reduce((sum, { failures }) => sum + failures, 0)),
    ];
  });
  return formatMarkdownTable(titles, rows);
}
