import { DAY_MS } from '../../../base/lib/units.ts';
import type { AdminAnswer } from '../../../console/admin/admin-calls.ts';
import { callAdmin } from '../admin-client.ts';
import type { Invocation } from '../invocation.ts';

export type AccountUse = { account_id: string; model: string; requests_30d: number };

const DAYS_MS = 30 * DAY_MS;
const PAGE = 500;
const AT_A_TIME = 8;

/**
 * Lists the accounts that used these models in the last 30 days, the most requests first.
 * Throws if no server answers.
 */
export async function accountsUsing(
  invocation: Invocation,
  models: ReadonlySet<string>,
): Promise<AccountUse[]> {
  const from = new Date(Date.now() - DAYS_MS).toISOString();
  const uses: AccountUse[] = [];
  const add = async (id: string): Promise<void> => {
    const call = { params: { id }, query: { by: 'model' as const, from } };
    const { data } = await callAdmin(invocation, 'GET /accounts/{id}/usage', call);
    for (const { model, requests } of data)
      if (model !== undefined && models.has(model))
        uses.push({ account_id: id, model, requests_30d: requests });
  };
  for (let after: string | undefined, hasMore = true; hasMore; ) {
    const query = { limit: PAGE, after };
    const page: AdminAnswer<'GET /accounts'> = await callAdmin(invocation, 'GET /accounts', { query });
    const ids = page.data.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += AT_A_TIME)
      await Promise.all(ids.slice(start, start + AT_A_TIME).map(add));
    [after, hasMore] = [ids.at(-1), page.has_more && ids.length > 0];
  }
  return uses.toSorted((one, other) => other.requests_30d - one.requests_30d);
}
