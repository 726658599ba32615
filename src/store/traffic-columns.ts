import { addFormatted } from '../watch/traffic/latency-buckets.ts';
import { noCounts, type TrafficColumn, trafficCounts } from '../watch/traffic/traffic-figures.ts';
import type { TrafficAnswer } from '../watch/traffic/traffic-question.ts';
import type { CommonRow } from './common-queries.ts';

/** The columns of the tables, which both stores name in the same way. */
export const trafficNames: Readonly<Record<TrafficColumn, string>> = {
  provider: 'provider',
  model: 'model',
  account: 'account_id',
  key: 'key_id',
  status: 'status',
  node: 'node',
  source: 'source',
};

/** Selects the figures of rows. */
export const trafficFigures = [...trafficCounts, 'latency', 'first_token'].join(', ');
/** Selects the sums of the figures. */
export const trafficSums = [
  ...trafficCounts.map((count) => `SUM(${count}) AS ${count}`),
  "string_agg(latency, ' ') AS latency",
  "string_agg(first_token, ' ') AS first_token",
].join(', ');

/** Reads a row of sums. `slot` is its interval, and `name` its group. */
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
