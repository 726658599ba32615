import { FREE, NO_CREDITS } from '../../money/ledger/period.ts';
import type { ExpectedRows } from './expected-rows.ts';
import { rowName } from './row-name.ts';

const CYCLE = /^cycle-(\d+)$/;
const MAX_START = Number.MAX_VALUE;

/**
 * Returns the periods whose balances nothing in the gateway creates: they have no entry, and no start of a
 * period explains them. The start of a cycle has a renewal, except that of the account's first cycle.
 * `periods` are those of all balances of the account.
 */
export function strayPeriods(periods: readonly string[], expected: ExpectedRows): string[] {
  const starts = periods.filter((period) => !expected.isRenewed(period)).map(startOf);
  const first = starts.reduce((least, start) => Math.min(least, start), MAX_START);
  const entries = expected.of('bucket');
  const isExplained = (period: string): boolean =>
    entries.has(period) ||
    expected.isRenewed(period) ||
    period === FREE ||
    period === NO_CREDITS ||
    startOf(period) <= first;
  return periods.filter((period) => !isExplained(period));
}

/** Returns the names of such balances among the rows of all tables. */
export const strayBalances = (periods: readonly string[], expected: ExpectedRows): string[] =>
  strayPeriods(periods, expected).map((period) => rowName('bucket', [period]));

/** Returns the start of a cycle. Infinity means that the period is no cycle. */
function startOf(period: string): number {
  const digits = CYCLE.exec(period)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}
