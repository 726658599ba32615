import { type TrafficPlace, trafficColumns } from '../watch/traffic/traffic-figures.ts';
import { mergedDays, type TrafficCut, trafficCuts, trafficSteps } from '../watch/traffic/traffic-store.ts';
import type { CommonRow, CommonStatement, StatementSteps } from './common-queries.ts';
import { answerOf, columns, sums, textOf, type WrittenTraffic } from './traffic-forms.ts';

const cuts = Object.keys(mergedDays) as TrafficCut[];
const startOf = (cut: TrafficCut, day: number): number => day - (day % mergedDays[cut]!.days);

/** Days that are written after they were merged are merged again. A statement waits for a merge of these days that is under way. */
export const mergeAgain = (day: number): CommonStatement[] =>
  cuts.map((cut) => ({
    text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1 AND merged_to >= $2',
    values: [trafficCuts[cut], startOf(cut, day)],
  }));

type Merging = { forUpdate: string; save: string };

/** Merges the first days before `before` in one cut. */
export function* mergeSteps(before: number, { forUpdate, save }: Merging): StatementSteps<boolean> {
  const wanted = cuts.map((cut) => `(cut = ${trafficCuts[cut]} AND merged_to < ${startOf(cut, before)})`);
  const [mark] = yield {
    text: `SELECT cut, merged_to FROM traffic_merge WHERE ${wanted.join(' OR ')} ORDER BY cut LIMIT 1 ${forUpdate}`,
    values: [],
  };
  const cut = cuts.find((name) => trafficCuts[name] === Number(mark?.cut));
  if (!mark || !cut) return false;
  const { number, days } = mergedDays[cut]!;
  const mergedTo = (day: number) => ({
    text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1',
    values: [trafficCuts[cut], day],
  });
  const [oldest] = yield { text: oldestSql, values: [trafficCuts[cut], Number(mark.merged_to)] };
  const start = startOf(cut, Math.min(before, Number(oldest?.at ?? before)));
  if (start + days > before) {
    yield mergedTo(start);
    return true;
  }
  const found = yield { text: daysOf(cut), values: [start, start + days] };
  const rows = found.map((row) => mergedRow(row, { step: number, cut, at: start / days }));
  yield [
    {
      text: `DELETE FROM traffic WHERE step = ${number} AND cut = ${trafficCuts[cut]} AND at = $1`,
      values: [start / days],
    },
    { text: save, values: [textOf(rows)] },
    mergedTo(start + days),
  ];
  return true;
}

const oldestSql = `SELECT MIN(at) AS at FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = $1 AND at >= $2`;

/** Selects the sums of days. */
const daysOf = (cut: TrafficCut): string => `
  SELECT ${trafficColumns.map((column) => (column === 'node' ? nodeIn(cut) : columns[column])).join(', ')}, ${sums}
  FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = ${trafficCuts[cut]} AND at >= $1 AND at < $2
  GROUP BY ${trafficColumns.map((_, index) => index + 1).join(', ')}`;

const nodeIn = (cut: TrafficCut): string => (cut === 'whole' ? 'node' : "'' AS node");

function mergedRow(row: CommonRow, to: Pick<WrittenTraffic, 'step' | 'cut' | 'at'>): WrittenTraffic {
  const place = {} as TrafficPlace;
  for (const column of trafficColumns) place[column] = String(row[columns[column]]);
  const { counts, latency, firstToken } = answerOf(row);
  return { ...to, part: 0, place, counts, latency, firstToken };
}
