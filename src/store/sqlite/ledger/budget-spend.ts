import type { BudgetRule } from '../../../money/budgets/budget.ts';
import type { BinSpend } from '../../../money/budgets/budget-counters.ts';
import type { SpendRow } from '../../ledger/spend-rows-of.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const selectTargetSql = `
  SELECT bin, used FROM budget_spend
  WHERE account_id = $accountId AND counter = $counter AND target = $target AND bin >= $countsFrom`;

/** Returns the bins of one target of a budget. */
export const selectBins = (
  connection: SqliteConnection,
  { accountId, counter, countsFrom }: BudgetRule,
  target: string,
): BinSpend[] =>
  connection
    .all(selectTargetSql, { accountId, counter, target, countsFrom })
    .map(({ bin, used }) => ({ bin: Number(bin), used: Number(used) }));

const addSql = `
  INSERT INTO budget_spend (account_id, counter, target, bin, used, requests)
  VALUES ($accountId, $counter, $target, $bin, $used, $requests)
  ON CONFLICT DO UPDATE SET used = used + $used, requests = requests + $requests`;

/** Adds to a bin. */
export const addSpend = (connection: SqliteConnection, accountId: string, row: SpendRow): void =>
  void connection.run(addSql, { accountId, ...row });

export type SpanOfCounter = { accountId: string; counter: string; first: number; last: number };

const sumSpendSql = `
  SELECT target, SUM(used) AS used, SUM(requests) AS requests, MIN(CASE WHEN used > 0 THEN bin END) AS bin
  FROM budget_spend
  WHERE account_id = $accountId AND counter = $counter AND bin BETWEEN $first AND $last GROUP BY target`;

/** Sums the amounts of each target in a range of bins. */
export const sumTargets = (connection: SqliteConnection, span: SpanOfCounter) =>
  connection.all(sumSpendSql, span).map(({ target, used, requests, bin }) => ({
    target: String(target),
    usedMicrocredits: Number(used),
    requests: Number(requests),
    bin: bin === null ? undefined : Number(bin),
  }));

const removeSql =
  'DELETE FROM budget_spend WHERE account_id = $accountId AND counter = $counter AND bin < $before';

/** Deletes the bins of a counter before one. */
export const deleteSpend = (
  connection: SqliteConnection,
  of: { accountId: string; counter: string; before: number },
): void => void connection.run(removeSql, of);
