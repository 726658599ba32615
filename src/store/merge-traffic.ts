import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import { type TrafficColumn, type TrafficPlace, trafficColumns } from '../watch/traffic/traffic-figures.ts';
import { trafficSteps } from '../watch/traffic/traffic-step.ts';
import type { CommonRow, CommonStatement, StatementSteps } from './common-queries.ts';
import { type MergedKind, mergedKinds, periodStart } from './merged-kinds.ts';
import { answerOf, columns, type MergedRow, mergedTextOf, sums, textOf } from './traffic-forms.ts';

/**
 * Days that are written after they were merged are merged again.
 * A statement waits for a merge of these days that is under way.
 */
export const mergeAgain = (day: number): CommonStatement[] =>
  mergedKinds.map((kind) => ({
    text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1 AND merged_to >= $2',
    values: [kind.number, periodStart(kind, day)],
  }));

type Merging = { forUpdate: string; save: string; saveMerged: string };

/** Merges the first days before `before` in one kind. */
export function* mergeSteps(
  before: number,
  { forUpdate, save, saveMerged }: Merging,
): StatementSteps<boolean> {
  const wanted = mergedKinds.map(
    (kind) => `(cut = ${kind.number} AND merged_to < ${periodStart(kind, before)})`,
  );
  const [mark] = yield {
    text: `SELECT cut, merged_to FROM traffic_merge WHERE ${wanted.join(' OR ')} ORDER BY cut LIMIT 1 ${forUpdate}`,
    values: [],
  };
  const kind = mergedKinds.find(({ number }) => number === Number(mark?.cut));
  if (!mark || !kind) return false;
  const { number, days, cut } = kind;
  const mergedTo = (day: number) => ({
    text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1',
    values: [number, day],
  });
  const [oldest] = yield { text: oldestSql, values: [trafficCuts[cut], Number(mark.merged_to)] };
  const start = periodStart(kind, Math.min(before, Number(oldest?.at ?? before)));
  if (start + days > before) {
    yield mergedTo(start);
    return true;
  }
  const found = yield { text: daysOf(kind), values: [start, start + days] };
  const at = start / days;
  const rows = found.map((row) => mergedRow(row, { kind, at }));
  yield [
    removalOf(kind, at),
    kind.step === null
      ? { text: saveMerged, values: [mergedTextOf(rows)] }
      : { text: save, values: [textOf(rows.map((row) => ({ ...row, step: kind.step!, cut, part: 0 })))] },
    mergedTo(start + days),
  ];
  return true;
}

const oldestSql = `SELECT MIN(at) AS at FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = $1 AND at >= $2`;

const removalOf = ({ number, step, cut }: MergedKind, at: number): CommonStatement => ({
  text:
    step === null
      ? `DELETE FROM merged_traffic WHERE kind = ${number} AND at = $1`
      : `DELETE FROM traffic WHERE step = ${step} AND cut = ${trafficCuts[cut]} AND at = $1`,
  values: [at],
});

/** Selects the sums of days. Rows that are read together are written together. */
const daysOf = (kind: MergedKind): string => `
  SELECT ${trafficColumns.map((column) => selected(kind, column)).join(', ')}, ${sums}
  FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = ${trafficCuts[kind.cut]} AND at >= $1 AND at < $2
  GROUP BY ${kind.columns.map((column) => columns[column]).join(', ')}
  ${kind.slicedBy ? `ORDER BY ${columns[kind.slicedBy]}` : ''}`;

const selected = (kind: MergedKind, column: TrafficColumn): string =>
  kind.columns.includes(column) ? columns[column] : `'' AS ${columns[column]}`;

function mergedRow(row: CommonRow, { kind, at }: { kind: MergedKind; at: number }): MergedRow {
  const place = {} as TrafficPlace;
  for (const column of trafficColumns) place[column] = String(row[columns[column]]);
  const { counts, latency, firstToken } = answerOf(row);
  const slice = kind.slicedBy === null ? '' : place[kind.slicedBy];
  return { kind: kind.number, slice, at, place, counts, latency, firstToken };
}
