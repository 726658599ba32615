import { FREE, NO_CREDITS } from '../../money/ledger/period.ts';
import type { ExpectedRows } from './expected-rows.ts';
import { rowName } from './row-name.ts';

const CYCLE = /^cycle-(\d+)$/;
const MAX_START = Number.MAX_VALUE;

/**
 * Returns the periods whose balances nothing in the gateway creates: they have no entry, and no start of a
 * period explains them. Each cycle except the account's first starts with a renewal.
 * `periods` has the periods of all balances of the account.
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

/** Names the balances of stray periods, as rows of all tables are named. */
export const strayBalances = (periods: readonly string[], expected: ExpectedRows): string[] =>
  strayPeriods(periods, expected).map((period) => rowName('bucket', [period]));

/** Returns the start of a cycle, or infinity if the period is not a cycle. */
function startOf(period: string): number {
  const digits = CYCLE.exec(period)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}
