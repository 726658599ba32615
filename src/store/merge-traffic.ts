import { recordOf } from '../base/lib/records.ts';
import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import { type TrafficColumn, trafficColumns } from '../watch/traffic/traffic-figures.ts';
import { trafficSteps } from '../watch/traffic/traffic-step.ts';
import type { CommonRow, CommonStatement, StatementSteps } from './common-queries.ts';
import { type MergedKind, mergedKinds, periodStart } from './merged-kinds.ts';
import { answerOf, trafficNames, trafficSums } from './traffic-columns.ts';
import { type MergedRow, mergedText, trafficText } from './traffic-writes.ts';

/**
 * Returns the statements after which days are merged again that were written after they were merged.
 * Each waits for a merge of these days that is under way.
 */
export const mergeAgain = (day: number): CommonStatement[] =>
  mergedKinds.map((kind) => ({
    text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1 AND merged_to >= $2',
    values: [kind.number, periodStart(kind, day)],
  }));

/** The words of a lock, and the statements that write rows of days and of merged days. */
type Merging = { forUpdate: string; save: string; saveMerged: string };

/** Merges the first days before a day in one kind. Returns false if all kinds are merged up to that day. */
export function* mergeSteps(before: number, merging: Merging): StatementSteps<boolean> {
  const due = yield* dueKind(before, merging);
  if (!due) return false;
  const { kind, mergedTo } = due;
  const oldestDay = yield* oldestDayOf(kind, mergedTo);
  const start = periodStart(kind, Math.min(before, oldestDay ?? before));
  if (start + kind.days > before) {
    yield setMergedTo(kind, start);
    return true;
  }
  const at = start / kind.days;
  const sums = yield { text: sumDays(kind), values: [start, start + kind.days] };
  const rows = sums.map((row) => mergedRow(row, { kind, at }));
  yield [removal(kind, at), insertion(kind, rows, merging), setMergedTo(kind, start + kind.days)];
  return true;
}

/** Finds a kind that is not merged up to a day, and locks its mark. */
function* dueKind(
  before: number,
  { forUpdate }: Merging,
): StatementSteps<{ kind: MergedKind; mergedTo: number } | undefined> {
  const isDue = mergedKinds.map(
    (kind) => `(cut = ${kind.number} AND merged_to < ${periodStart(kind, before)})`,
  );
  const [mark] = yield {
    text: `SELECT cut, merged_to FROM traffic_merge WHERE ${isDue.join(' OR ')} ORDER BY cut LIMIT 1 ${forUpdate}`,
    values: [],
  };
  const kind = mark && mergedKinds.find(({ number }) => number === Number(mark.cut));
  return kind && { kind, mergedTo: Number(mark.merged_to) };
}

const oldestSql = `SELECT MIN(at) AS at FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = $1 AND at >= $2`;

/** Finds the oldest day with rows that the kind has not merged. */
function* oldestDayOf({ cut }: MergedKind, mergedTo: number): StatementSteps<number | undefined> {
  const [oldest] = yield { text: oldestSql, values: [trafficCuts[cut], mergedTo] };
  return oldest?.at == null ? undefined : Number(oldest.at);
}

const setMergedTo = ({ number }: MergedKind, day: number): CommonStatement => ({
  text: 'UPDATE traffic_merge SET merged_to = $2 WHERE cut = $1',
  values: [number, day],
});

const removal = ({ number, step, cut }: MergedKind, at: number): CommonStatement => ({
  text:
    step === null
      ? `DELETE FROM merged_traffic WHERE kind = ${number} AND at = $1`
      : `DELETE FROM traffic WHERE step = ${step} AND cut = ${trafficCuts[cut]} AND at = $1`,
  values: [at],
});

function insertion(
  { step, cut }: MergedKind,
  rows: readonly MergedRow[],
  { save, saveMerged }: Merging,
): CommonStatement {
  if (step === null) return { text: saveMerged, values: [mergedText(rows)] };
  return { text: save, values: [trafficText(rows.map((row) => ({ ...row, step, cut, part: 0 })))] };
}

/** Selects the sums of days. Rows that are read together are written together. */
const sumDays = (kind: MergedKind): string => `
  SELECT ${trafficColumns.map((column) => columnIn(kind, column)).join(', ')}, ${trafficSums}
  FROM traffic WHERE step = ${trafficSteps.day.number} AND cut = ${trafficCuts[kind.cut]} AND at >= $1 AND at < $2
  GROUP BY ${kind.columns.map((column) => trafficNames[column]).join(', ')}
  ${kind.slicedBy ? `ORDER BY ${trafficNames[kind.slicedBy]}` : ''}`;

/** Selects a column, which is empty if the kind does not have it. */
const columnIn = (kind: MergedKind, column: TrafficColumn): string =>
  kind.columns.includes(column) ? trafficNames[column] : `'' AS ${trafficNames[column]}`;

function mergedRow(row: CommonRow, { kind, at }: { kind: MergedKind; at: number }): MergedRow {
  const place = recordOf(trafficColumns, (column) => String(row[trafficNames[column]]));
  const { counts, latency, firstToken } = answerOf(row);
  const slice = kind.slicedBy === null ? '' : place[kind.slicedBy];
  return { kind: kind.number, slice, at, place, counts, latency, firstToken };
}
