import type { Database, Queries } from '../database.ts';
import { lockHead } from './append-entry.ts';

/** Deletes holds whose rows were changed, and releases what they reserved. Returns their number. */
export async function removeBrokenHolds(database: Database): Promise<number> {
  const broken = await database.all(`SELECT DISTINCT account_id FROM open_hold WHERE ${IS_BROKEN}`);
  let removed = 0;
  for (const { account_id } of broken)
    removed += await database.transaction((queries) => removeFrom(queries, String(account_id)));
  return removed;
}

/** A changed row may name another account or key, so the held amounts of both are computed again from the remaining holds. */
async function removeFrom(queries: Queries, accountId: string): Promise<number> {
  await lockHead(queries, accountId);
  const removed = await queries.all(
    `DELETE FROM open_hold WHERE account_id = $1 AND ${IS_BROKEN} RETURNING order_text, checkpoint`,
    [accountId],
  );
  const accounts = new Set([
    accountId,
    ...removed.flatMap(({ order_text }) => accountIn(String(order_text))),
  ]);
  for (const id of [...accounts].sort()) {
    if (id !== accountId) await lockHead(queries, id);
    await queries.run(recountBalance, [id]);
    await queries.run(recountCaps, [id]);
  }
  return removed.length;
}

/** The account in the order of a hold. */
function accountIn(orderText: string): string[] {
  try {
    const { accountId } = JSON.parse(orderText) as { accountId?: unknown };
    return typeof accountId === 'string' ? [accountId] : [];
  } catch {
    return [];
  }
}

const IS_BROKEN = `seal IS DISTINCT FROM seal_of('open_hold', to_jsonb(open_hold))`;

const recountBalance = `
  UPDATE bucket SET held = CASE WHEN period = 'purchased' THEN (
    SELECT coalesce(sum(microcredits), 0) FROM open_hold WHERE account_id = $1 AND pays = 'purchased') ELSE 0 END
  WHERE account_id = $1`;
const recountCaps = `
  UPDATE key_month SET held = (
    SELECT coalesce(sum(microcredits), 0) FROM open_hold
    WHERE account_id = $1 AND key_id = key_month.key_id AND month = key_month.month AND is_capped)
  WHERE account_id = $1`;
