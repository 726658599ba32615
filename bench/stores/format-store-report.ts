import { summarize } from '../summarize.ts';
import type { StoreMeasurement } from './store-measurement.ts';

type Pair = { embedded: StoreMeasurement; postgres: StoreMeasurement };
type Column = { title: string; of: (pair: Pair) => number; digits: number };

const columns: readonly Column[] = [
  { title: 'node, embedded µs', of: ({ embedded }) => embedded.nodeCpuUs, digits: 0 },
  { title: 'node, Postgres µs', of: ({ postgres }) => postgres.nodeCpuUs, digits: 0 },
  { title: 'node ratio', of: ({ embedded, postgres }) => postgres.nodeCpuUs / embedded.nodeCpuUs, digits: 2 },
  { title: 'Postgres µs', of: ({ postgres }) => postgres.databaseCpuUs, digits: 0 },
  { title: 'log bytes', of: ({ postgres }) => postgres.logBytes, digits: 0 },
  { title: 'requests per commit', of: ({ postgres }) => postgres.requestsPerCommit, digits: 1 },
  { title: 'added p50 ms', of: added('p50Us'), digits: 2 },
  { title: 'added p99 ms', of: added('p99Us'), digits: 2 },
];

function added(field: 'p50Us' | 'p99Us') {
  return ({ embedded, postgres }: Pair): number => (postgres[field] - embedded[field]) / 1_000;
}

/** The measurements of both stores in the same round, with the same number of connections. */
export function pairsOf(all: readonly StoreMeasurement[]): Pair[] {
  const of = (store: string) => all.filter((result) => result.store === store);
  return of('embedded').flatMap((embedded) => {
    const { round, connections } = embedded;
    const postgres = of('postgres').find(
      (result) => result.round === round && result.connections === connections,
    );
    return postgres ? [{ embedded, postgres }] : [];
  });
}

/** Formats a table: the median of the rounds, with the least and the largest value. */
export function formatStoreReport(all: readonly StoreMeasurement[]): string {
  const pairs = pairsOf(all);
  const counts = [...new Set(pairs.map(({ embedded }) => embedded.connections))];
  const rows = counts.map((count) => {
    const own = pairs.filter(({ embedded }) => embedded.connections === count);
    return [String(count), ...columns.map(({ of, digits }) => formatSpread(own.map(of), digits))];
  });
  const table = [
    ['connections', ...columns.map(({ title }) => title)],
    columns.map(() => '-').concat('-'),
    ...rows,
  ];
  const failures = all.reduce((sum, result) => sum + result.failures, 0);
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\nfailures: ${failures}`;
}

function formatSpread(values: readonly number[], digits: number): string {
  const spread = summarize(values);
  if (!spread) return '';
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) => value.toFixed(digits));
  return `${median} (${min} to ${max})`;
}
