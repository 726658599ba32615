import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Account } from '../../money/accounts/account.ts';
import { accepted } from '../routes/accepted.ts';
import { filterField } from '../routes/filter-field.ts';
import { listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { type AccountView, accountView } from './account-view.ts';
import type { AdminParts } from './admin-parts.ts';

type AccountParts = Pick<AdminParts, 'accounts' | 'ledger' | 'stored'>;

export const accountsQuery = Type.Object({
  search: filterField(
    'Only accounts with this text in their name or email, or with an id that begins with it.',
  ),
  ...pageFields,
});

/** Shows an account that was found, created or changed. */
export const showAccount = (
  parts: AccountParts,
  { snapshot }: Exchange,
  result: Account | Refusal,
): Promise<AccountView> => accountView(parts, accepted(result), snapshot.plans);

/** Lists accounts with their balances, the oldest first. */
export async function listAccounts(
  parts: AccountParts,
  { snapshot }: Exchange,
  query: Static<typeof accountsQuery>,
) {
  const page = pageOf(query);
  if (page.after !== undefined && (await parts.accounts.find(page.after)) instanceof Refusal)
    throw unknownAfter('an account');
  // An empty search finds all accounts, as a cleared field of a page means.
  const search = query.search?.trim() || undefined;
  const { items, hasMore } = await parts.accounts.list({ ...page, search });
  const views = await Promise.all(items.map((account) => accountView(parts, account, snapshot.plans)));
  return listView(views, hasMore);
}
