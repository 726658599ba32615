import type { ExpectedRows } from '../../ledger/expected-rows.ts';
import { rowName } from '../../ledger/row-name.ts';
import { strayBalances, strayPeriods } from '../../ledger/stray-periods.ts';
import type { Queries } from '../queries.ts';

/** Returns the names of the rows of zeros that nothing in the gateway creates. */
export async function selectStrays(
  queries: Queries,
  accountId: string,
  expected: ExpectedRows,
): Promise<string[]> {
  const months = await selectStrayMonths(queries, accountId, expected);
  return [
    ...strayBalances(await selectPeriods(queries, accountId), expected),
    ...months.map(({ key, month }) => rowName('key_month', [key, month])),
  ];
}

/** Removes these rows. Before, a repair has set every row that nothing explains to zero. */
export async function removeStrays(
  queries: Queries,
  accountId: string,
  expected: ExpectedRows,
): Promise<void> {
  for (const period of strayPeriods(await selectPeriods(queries, accountId), expected))
    await queries.run('DELETE FROM bucket WHERE account_id = $1 AND period = $2', [accountId, period]);
  for (const { key, month } of await selectStrayMonths(queries, accountId, expected))
    await queries.run('DELETE FROM key_month WHERE key_id = $1 AND month = $2', [key, month]);
}

/** Selects the periods of all balances of an account. */
async function selectPeriods(queries: Queries, accountId: string): Promise<string[]> {
  const rows = await queries.all('SELECT period FROM bucket WHERE account_id = $1', [accountId]);
  return rows.map(({ period }) => String(period));
}

/** Admissions and settlements create rows of zeros, for keys that exist and for calendar months only. */
const selectUnknownMonthsSql = `
  SELECT key_id, month, month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$' AS is_month FROM key_month AS spent
  WHERE account_id = $1 AND used = 0 AND held = 0 AND (
    month !~ '^[0-9]{4}-(0[1-9]|1[0-2])$'
    OR (
      EXISTS (SELECT FROM account WHERE account.id = spent.account_id)
      AND NOT EXISTS (
        SELECT FROM api_key WHERE api_key.id = spent.key_id AND api_key.account_id = spent.account_id)
    )
  )`;

/**
 * Selects the months that neither a key nor a calendar explains. Entries can name a key that the store does
 * not have, for example after a restored backup.
 */
async function selectStrayMonths(queries: Queries, accountId: string, expected: ExpectedRows) {
  const rows = await queries.all(selectUnknownMonthsSql, [accountId]);
  if (rows.length === 0) return [];
  const used = new Set([...expected.of('usage_day').values()].map(({ key }) => key[1]));
  return rows
    .filter(({ key_id, is_month }) => is_month !== true || !used.has(String(key_id)))
    .map(({ key_id, month }) => ({ key: String(key_id), month: String(month) }));
}
