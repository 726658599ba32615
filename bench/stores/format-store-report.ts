import { formatMarkdownTable } from '../format-markdown-table.ts';
import { formatSpread } from '../format-spread.ts';
import { summarize } from '../summarize.ts';
import type { StoreMeasurement } from './store-measurement.ts';

type Pair = { embedded: StoreMeasurement; postgres: StoreMeasurement };
type Column = { title: string; read: (pair: Pair) => number; digits: number };

const columns: readonly Column[] = [
  { title: 'node, embedded µs', read: ({ embedded }) => embedded.nodeCpuUs, digits: 0 },
  { title: 'node, Postgres µs', read: ({ postgres }) => postgres.nodeCpuUs, digits: 0 },
  {
    title: 'node ratio',
    read: ({ embedded, postgres }) => postgres.nodeCpuUs / embedded.nodeCpuUs,
    digits: 2,
  },
  { title: 'Postgres µs', read: ({ postgres }) => postgres.databaseCpuUs, digits: 0 },
  { title: 'log bytes', read: ({ postgres }) => postgres.logBytes, digits: 0 },
  { title: 'requests per commit', read: ({ postgres }) => postgres.requestsPerCommit, digits: 1 },
  { title: 'added p50 ms', read: readAdded('p50Us'), digits: 2 },
  { title: 'added p99 ms', read: readAdded('p99Us'), digits: 2 },
];

function readAdded(field: 'p50Us' | 'p99Us') {
  return ({ embedded, postgres }: Pair): number => (postgres[field] - embedded[field]) / 1_000;
}

/** Pairs the measurements of both stores in the same round, with the same number of connections. */
export function pairStores(measurements: readonly StoreMeasurement[]): Pair[] {
  const embedded = measurements.filter(({ store }) => store === 'embedded');
  const onPostgres = measurements.filter(({ store }) => store === 'postgres');
  return embedded.flatMap((measurement) => {
    const postgres = onPostgres.find(
      ({ round, connections }) => round === measurement.round && connections === measurement.connections,
    );
    return postgres === undefined ? [] : [{ embedded: measurement, postgres }];
  });
}

/** Formats a table: the median of the rounds, with the least and the largest value. */
export function formatStoreReport(measurements: readonly StoreMeasurement[]): string {
  const byConnections = Map.groupBy(pairStores(measurements), ({ embedded }) => embedded.connections);
  const titles = ['connections', ...columns.map(({ title }) => title)];
  const rows = [...byConnections].map(([connections, pairs]) => [
    String(connections),
    ...columns.map(({ read, digits }) => formatSpread(summarize(pairs.map(read)), digits)),
  ]);
  const failures = measurements.reduce((sum, measurement) => sum + measurement.failures, 0);
  return `${formatMarkdownTable(titles, rows)}\n\nfailures: ${failures}`;
}
