import { DAY_MS } from '../../../base/lib/units.ts';
import type { AdminAnswer } from '../../../console/admin/admin-calls.ts';
import { callAdmin } from '../admin-client.ts';
import type { Invocation } from '../invocation.ts';

export type AccountUse = { account_id: string; model: string; requests_30d: number };

const SPAN_MS = 30 * DAY_MS;
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
  const from = new Date(Date.now() - SPAN_MS).toISOString();
  const uses: AccountUse[] = [];
  const add = async (id: string): Promise<void> => {
    const call = { params: { id }, query: { by: 'model' as const, from } };
    const { data } = await callAdmin(invocation, 'GET /accounts/{id}/usage', call);
    for (const { model, requests } of data)
      if (model !== undefined && models.has(model))
        uses.push({ account_id: id, model, requests_30d: requests });
  };
  let after: string | undefined;
  do {
    const query = { limit: PAGE, after };
    const page: AdminAnswer<'GET /accounts'> = await callAdmin(invocation, 'GET /accounts', { query });
    const ids = page.data.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += AT_A_TIME)
      await Promise.all(ids.slice(start, start + AT_A_TIME).map(add));
    after = page.has_more ? ids.at(-1) : undefined;
  } while (after !== undefined);
  return uses.toSorted((left, right) => right.requests_30d - left.requests_30d);
}
