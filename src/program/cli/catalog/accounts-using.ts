import { DAY_MS } from '../../../base/lib/units.ts';
import { callAdmin } from '../call-admin.ts';
import { accountsOfServer } from '../find-account.ts';
import type { Invocation } from '../invocation.ts';

export type AccountUse = { account_id: string; model: string; requests_30d: number };

const SPAN_MS = 30 * DAY_MS;
const MAX_CALLS = 8;

/**
 * Lists the accounts that used these models in the last 30 days, the most requests first. Throws if no server
 * answers.
 */
export async function accountsUsing(
  invocation: Invocation,
  models: ReadonlySet<string>,
): Promise<AccountUse[]> {
  const from = new Date(Date.now() - SPAN_MS).toISOString();
  const usesOf = async (id: string): Promise<AccountUse[]> => {
    const call = { params: { id }, query: { by: 'model' as const, from } };
    const { data } = await callAdmin(invocation, 'GET /accounts/{id}/usage', call);
    return data.flatMap(({ model, requests }) =>
      model !== undefined && models.has(model) ? [{ account_id: id, model, requests_30d: requests }] : [],
    );
  };
  const ids = await Array.fromAsync(accountsOfServer(invocation), ({ id }) => id);
  const uses: AccountUse[] = [];
  for (let start = 0; start < ids.length; start += MAX_CALLS) {
    const slices = await Promise.all(ids.slice(start, start + MAX_CALLS).map(usesOf));
    uses.push(...slices.flat());
  }
  return uses.toSorted((left, right) => right.requests_30d - left.requests_30d);
}
