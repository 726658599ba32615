import type { Spread } from './benchmark-report.ts';
import { summarize } from './summarize.ts';

type Read<Row> = (row: Row) => number | null;

/** Pairs figures of the same round, so that noise affects both. */
function pairInRounds<Row extends { round: number }>(
  rows: readonly Row[],
  baseline: readonly Row[],
  read: Read<Row>,
): { own: number; base: number }[] {
  return rows.flatMap((row) => {
    const other = baseline.find(({ round }) => round === row.round);
    const own = read(row);
    const base = other === undefined ? null : read(other);
    return own === null || base === null || base === 0 ? [] : [{ own, base }];
  });
}

/** Returns the ratio of a figure to the baseline's in the same round, or null without a pair. */
export const ratioInRounds = <Row extends { round: number }>(
  rows: readonly Row[],
  baseline: readonly Row[],
  read: Read<Row>,
): Spread | null => summarize(pairInRounds(rows, baseline, read).map(({ own, base }) => own / base));

/** Returns the difference of a figure to the baseline's in the same round, or null without a pair. */
export const differenceInRounds = <Row extends { round: number }>(
  rows: readonly Row[],
  baseline: readonly Row[],
  read: Read<Row>,
): Spread | null => summarize(pairInRounds(rows, baseline, read).map(({ own, base }) => own - base));
