import { keysOf } from '../base/lib/records.ts';
import type { TrafficCut } from '../watch/traffic/traffic-cut.ts';
import type { TrafficColumn } from '../watch/traffic/traffic-figures.ts';
import type { TrafficQuestion } from '../watch/traffic/traffic-question.ts';

/**
 * One kind of merged days. Its rows sum the days of one cut, so that a question about a year reads fewer
 * rows. Merged rows are kept as long as days.
 */
export type MergedKind = {
  /** The id of the kind in `traffic_merge`. */
  number: number;
  cut: TrafficCut;
  /** The number of days of a period. */
  days: number;
  columns: readonly TrafficColumn[];
  /** The step of the rows in `traffic`. `null` means that they are in `merged_traffic`. */
  step: number | null;
  /** The column whose values divide the rows of a period. A question about one value reads its rows alone. */
  slicedBy: TrafficColumn | null;
};

const accounts = { cut: 'details', days: 8, step: null } as const;

/**
 * The kinds of merged days. A question reads the first kind that has its columns. The number of nodes has no
 * bound, so few kinds have the column `node`.
 */
export const mergedKinds: readonly MergedKind[] = [
  {
    number: 0,
    cut: 'whole',
    days: 4,
    step: 3,
    slicedBy: null,
    columns: ['provider', 'model', 'status', 'node', 'source'],
  },
  { number: 1, cut: 'accounts', days: 8, step: 4, slicedBy: null, columns: ['account', 'key'] },
  { ...accounts, number: 10, slicedBy: 'provider', columns: ['account', 'key', 'provider'] },
  { ...accounts, number: 11, slicedBy: 'status', columns: ['account', 'key', 'status'] },
  { ...accounts, number: 12, slicedBy: 'source', columns: ['account', 'key', 'source'] },
  {
    ...accounts,
    number: 13,
    slicedBy: 'model',
    columns: ['account', 'key', 'provider', 'model', 'status', 'source'],
  },
  { ...accounts, number: 14, cut: 'accounts', slicedBy: 'node', columns: ['account', 'key', 'node'] },
];

/** Returns the merged days that suit the intervals and columns of a question, or undefined. */
export function suitingKind(question: TrafficQuestion): MergedKind | undefined {
  const { step, cut, from, every, groupBy, where } = question;
  if (step !== 'day' || readsByAccount(question)) return undefined;
  const used = [...keysOf(where), ...(groupBy ? [groupBy] : [])];
  return mergedKinds.find(
    (kind) =>
      kind.cut === cut &&
      used.every((column) => kind.columns.includes(column)) &&
      (every === null || (from % kind.days === 0 && every % kind.days === 0)),
  );
}

/** Details of one account have an index, so their days are read as they are. */
export const readsByAccount = ({ cut, where }: TrafficQuestion): boolean =>
  cut === 'details' && where.account !== undefined;

/** Returns the table of a kind's rows. */
export const tableOf = ({ step }: MergedKind): 'traffic' | 'merged_traffic' =>
  step === null ? 'merged_traffic' : 'traffic';

/** Returns the first day of the period that has a day. */
export const periodStart = ({ days }: MergedKind, day: number): number => day - (day % days);
