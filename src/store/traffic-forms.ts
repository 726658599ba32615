import { addFormatted, formatLatencies } from '../watch/traffic/latency-buckets.ts';
import {
  noCounts,
  type TrafficColumn,
  trafficColumns,
  trafficCounts,
} from '../watch/traffic/traffic-figures.ts';
import { type TrafficAnswer, type TrafficRow, trafficCuts } from '../watch/traffic/traffic-store.ts';
import type { CommonRow } from './common-queries.ts';

/** The columns of the table, which both stores name in the same way. */
export const columns: Readonly<Record<TrafficColumn, string>> = {
  provider: 'provider',
  model: 'model',
  account: 'account_id',
  key: 'key_id',
  status: 'status',
  node: 'node',
  source: 'source',
};

/** The figures of a row. */
export const figures = [...trafficCounts, 'latency', 'first_token'].join(', ');
/** The sums of rows. */
export const sums = [
  ...trafficCounts.map((count) => `SUM(${count}) AS ${count}`),
  "string_agg(latency, ' ') AS latency",
  "string_agg(first_token, ' ') AS first_token",
].join(', ');

/** Reads a row of sums. */
export function answerOf(row: CommonRow): TrafficAnswer {
  const counts = noCounts();
  for (const name of trafficCounts) counts[name] = Number(row[name]);
  const answer: TrafficAnswer = {
    interval: Number(row.slot),
    group: row.name === undefined ? null : String(row.name),
    counts,
    latency: new Map(),
    firstToken: new Map(),
  };
  addFormatted(answer.latency, String(row.latency ?? ''));
  addFormatted(answer.firstToken, String(row.first_token ?? ''));
  return answer;
}

const KEY = ['step', 'cut', 'at', 'part', ...trafficColumns.map((column) => columns[column])];
const FIGURES = [...trafficCounts, 'latency', 'first_token'];
const TEXTS: ReadonlySet<string> = new Set([...Object.values(columns), 'latency', 'first_token']);

/** A row as it is written. Its step is a number. */
export type WrittenTraffic = Omit<TrafficRow, 'step'> & { step: number };

/** The values of a row, in the order of the columns. */
const valuesOf = ({ step, cut, at, part, place, ...row }: WrittenTraffic) => [
  step,
  trafficCuts[cut],
  at,
  part,
  ...trafficColumns.map((column) => place[column]),
  ...trafficCounts.map((count) => row.counts[count]),
  formatLatencies(row.latency),
  formatLatencies(row.firstToken),
];

/** Writes rows as a list in JSON. */
export const textOf = (rows: readonly WrittenTraffic[]): string => JSON.stringify(rows.map(valuesOf));

const read = [...KEY, ...FIGURES].map((name, index) =>
  TEXTS.has(name) ? `value ->> ${index}` : `CAST(value ->> ${index} AS bigint)`,
);

/** Writes all rows of a list. A row replaces the earlier one of the same place, since it has all figures of its part. */
export const saveFrom = (elements: string): string => `
  INSERT INTO traffic (${[...KEY, ...FIGURES].join(', ')})
  SELECT ${read.join(', ')}
  FROM ${elements} WHERE true
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${FIGURES.map((name) => `${name} = excluded.${name}`).join(', ')}`;
