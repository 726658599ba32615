import { addFormatted, formatLatencies } from '../watch/traffic/latency-buckets.ts';
import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import {
  noCounts,
  type TrafficColumn,
  type TrafficPlace,
  type TrafficSums,
  trafficColumns,
  trafficCounts,
} from '../watch/traffic/traffic-figures.ts';
import type { TrafficAnswer } from '../watch/traffic/traffic-question.ts';
import type { TrafficRow } from '../watch/traffic/traffic-store.ts';
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
const MERGED_KEY = ['kind', 'at', 'slice', ...trafficColumns.map((column) => columns[column])];
const FIGURES = [...trafficCounts, 'latency', 'first_token'];
const TEXTS: ReadonlySet<string> = new Set([...Object.values(columns), 'slice', 'latency', 'first_token']);

/** A row as it is written. Its step is a number. */
export type WrittenTraffic = Omit<TrafficRow, 'step'> & { step: number };
/** A row of merged days. */
export type MergedRow = TrafficSums & { kind: number; at: number; slice: string; place: TrafficPlace };

/** Returns the values after the first columns of a row, in the order of the columns. */
const restOf = ({ place, ...row }: TrafficSums & { place: TrafficPlace }) => [
  ...trafficColumns.map((column) => place[column]),
  ...trafficCounts.map((count) => row.counts[count]),
  formatLatencies(row.latency),
  formatLatencies(row.firstToken),
];

/** Writes rows as a list in JSON. */
export const textOf = (rows: readonly WrittenTraffic[]): string =>
  JSON.stringify(rows.map((row) => [row.step, trafficCuts[row.cut], row.at, row.part, ...restOf(row)]));

export const mergedTextOf = (rows: readonly MergedRow[]): string =>
  JSON.stringify(rows.map((row) => [row.kind, row.at, row.slice, ...restOf(row)]));

const insertInto = (table: string, names: readonly string[], elements: string): string => `
  INSERT INTO ${table} (${names.join(', ')})
  SELECT ${names.map((name, index) => (TEXTS.has(name) ? `value ->> ${index}` : `CAST(value ->> ${index} AS bigint)`)).join(', ')}
  FROM ${elements} WHERE true`;

/**
 * Writes all rows of a list. A row replaces the earlier one of the same place, since
 * it has all figures of its part.
 */
export const saveFrom = (elements: string): string => `
  ${insertInto('traffic', [...KEY, ...FIGURES], elements)}
  ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET ${FIGURES.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Writes the rows of a list, which are the only ones of their kind and period. */
export const saveMergedFrom = (elements: string): string =>
  insertInto('merged_traffic', [...MERGED_KEY, ...FIGURES], elements);
