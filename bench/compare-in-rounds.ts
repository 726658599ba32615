import type { Spread } from './benchmark-report.ts';
import { summarize } from './summarize.ts';

/** The measurements of a system, and those that they are compared with. */
type Compared<Row> = { rows: readonly Row[]; baseline: readonly Row[] };

type ReadFigure<Row> = (row: Row) => number | null;

/** Pairs figures of the same round, so that noise affects both. */
function pairInRounds<Row extends { round: number }>(
  { rows, baseline }: Compared<Row>,
  read: ReadFigure<Row>,
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
  compared: Compared<Row>,
  read: ReadFigure<Row>,
): Spread | null => summarize(pairInRounds(compared, read).map(({ own, base }) => own / base));

/** Returns the difference of a figure to the baseline's in the same round, or null without a pair. */
export const differenceInRounds = <Row extends { round: number }>(
  compared: Compared<Row>,
  read: ReadFigure<Row>,
): Spread | null => summarize(pairInRounds(compared, read).map(({ own, base }) => own - base));
