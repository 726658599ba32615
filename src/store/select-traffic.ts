import { trafficCuts } from '../watch/traffic/traffic-cut.ts';
import { trafficColumns } from '../watch/traffic/traffic-figures.ts';
import type { TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { trafficSteps } from '../watch/traffic/traffic-step.ts';
import { type MergedKind, readsByAccount, tableOf } from './merged-kinds.ts';
import { type SpanPart, splitSpan } from './split-span.ts';
import type { SqlForms } from './sql-forms.ts';
import type { SqlStatement } from './sql-statement.ts';
import { trafficNames } from './traffic-columns.ts';

type TrafficSelection = {
  forms: SqlForms;
  /** Gets the values of the conditions. */
  statement: SqlStatement;
  /** The first day that is not merged in the kind that the question reads. */
  mergedTo: number;
  /** Returns the columns that are selected. `at` is the step of a row, even if it has merged days. */
  columns(at: string): string;
};

/** Returns the selection of a question's rows, those of merged days and the others. */
export const selectTraffic = (
  question: TrafficQuestion,
  { forms, statement, mergedTo, columns }: TrafficSelection,
): string =>
  splitSpan(question, mergedTo)
    .map((part) => {
      const at = part.merged ? `at * ${part.merged.days}` : 'at';
      const conditions = conditionsOf(question, part, statement);
      return `SELECT ${columns(at)} FROM ${tableFor(question, part, forms)} WHERE ${conditions}`;
    })
    .join(' UNION ALL ');

function tableFor(question: TrafficQuestion, { merged }: SpanPart, { indexed }: SqlForms): string {
  if (merged) return tableOf(merged);
  return readsByAccount(question) ? indexed('traffic', 'traffic_by_account') : 'traffic';
}

/** Returns the conditions of a part of a question. Their values are bound. */
function conditionsOf(question: TrafficQuestion, part: SpanPart, statement: SqlStatement): string {
  const { where } = question;
  const wanted = trafficColumns.filter((column) => where[column] !== undefined);
  return [
    part.merged?.step === null
      ? inPeriods(question, { ...part, merged: part.merged }, statement)
      : inSteps(question, part, statement),
    ...wanted.map((column) => `${trafficNames[column]} = ${statement.bind(where[column]!)}`),
  ].join(' AND ');
}

/** A constant lets the planner of Postgres choose the index of the details. */
const inSteps = ({ step, cut }: TrafficQuestion, part: SpanPart, statement: SqlStatement): string =>
  `step = ${part.merged?.step ?? trafficSteps[step].number} AND cut = ${trafficCuts[cut]}
   AND at >= ${statement.bind(part.from)} AND at < ${statement.bind(part.to)}`;

/** Periods are listed one by one, so that the index leads to the slice in each of them. */
function inPeriods(
  { where }: TrafficQuestion,
  { merged, from, to }: SpanPart & { merged: MergedKind },
  statement: SqlStatement,
): string {
  const periods = Array.from({ length: to - from }, (_, index) => statement.bind(from + index));
  const slice = merged.slicedBy && where[merged.slicedBy];
  return `kind = ${merged.number} AND at IN (${periods.join(', ')})
   ${slice ? `AND slice = ${statement.bind(slice)}` : ''}`;
}
