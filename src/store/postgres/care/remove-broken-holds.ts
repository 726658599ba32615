import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';
import { lockHead } from './account-heads.ts';
import { longTransaction } from './long-transaction.ts';
import { brokenSealSql } from './sealed-tables.ts';

const IS_BROKEN = brokenSealSql('open_hold');

/** Accounts whose balances, keys or budgets reserve an amount. */
const selectHoldingSql = `
  SELECT account_id FROM bucket WHERE held <> 0 UNION SELECT account_id FROM key_month WHERE held <> 0
  UNION SELECT account_id FROM budget_spend WHERE held <> 0
  UNION SELECT account_id FROM open_hold WHERE microcredits <> 0 ORDER BY 1`;

/** Deletes holds whose rows were changed, and releases what they reserved. Returns their number. */
export async function removeBrokenHolds(database: Database): Promise<number> {
  const broken = await database.all(`SELECT request_id FROM open_hold WHERE ${IS_BROKEN}`);
  if (broken.length === 0) return 0;
  let removed = 0;
  for (const { request_id } of broken) removed += await removeHold(database, String(request_id));
  // A changed row may name another account or key than the one that it reserved credit of.
  for (const { account_id } of await database.all(selectHoldingSql))
    await longTransaction(database, (queries) => recount(queries, String(account_id)));
  return removed;
}

const removeHold = (database: Database, requestId: string): Promise<number> =>
  database.run(`DELETE FROM open_hold WHERE request_id = $1 AND ${IS_BROKEN}`, [requestId]);

const recountBalanceSql = `
  UPDATE bucket SET held = CASE WHEN period = 'purchased' THEN (
    SELECT coalesce(sum(microcredits), 0) FROM open_hold WHERE account_id = $1 AND pays = 'purchased') ELSE 0 END
  WHERE account_id = $1`;
const recountCapsSql = `
  UPDATE key_month SET held = (
    SELECT coalesce(sum(microcredits), 0) FROM open_hold
    WHERE account_id = $1 AND key_id = key_month.key_id AND month = key_month.month AND is_capped)
  WHERE account_id = $1`;

const recountBudgetsSql = `
  UPDATE budget_spend AS spend SET held = (
    SELECT coalesce(sum(open_hold.microcredits), 0)
    FROM open_hold CROSS JOIN LATERAL jsonb_array_elements(open_hold.budgets) AS place
    WHERE open_hold.account_id = $1 AND place ->> 0 = spend.counter AND place ->> 1 = spend.target
      AND (place ->> 2)::bigint = spend.bin)
  WHERE account_id = $1 AND held <> 0`;

/** Computes the held amounts again from the remaining holds. */
async function recount(queries: Queries, accountId: string): Promise<void> {
  await lockHead(queries, accountId);
  await queries.run(recountBalanceSql, [accountId]);
  await queries.run(recountCapsSql, [accountId]);
  await queries.run(recountBudgetsSql, [accountId]);
}
