import { Refusal } from '../../base/errors/refusal.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { listOf, listView } from '../routes/list.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts'>();

const MAX_IDS = 100;

const accountOrKeyName = Type.Object(
  { id: Type.String(), name: orNull(Type.String()) },
  { title: 'Name of an account or a key' },
);

/** The route that names accounts and keys, for tables that have only their ids. */
export const namesRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/names',
      group: 'Admin: accounts',
      summary: 'Names accounts and API keys',
      query: Type.Object({
        ids: Type.String({
          description: `Ids of accounts and keys, at most ${MAX_IDS}, with commas between.`,
        }),
      }),
      answer: listOf(accountOrKeyName),
      returns: 'The accounts and keys that exist, in the order of the ids.',
    },
    async ({ query }, { accounts }) => {
      const ids = [...new Set(query.ids.split(',').map((id) => id.trim()))].filter((id) => id !== '');
      if (ids.length > MAX_IDS) throw tooManyIds(ids.length);
      const items = await Promise.all(ids.map((id) => findAccountOrKey(accounts, id)));
      return listView(items.filter((item) => item !== undefined).map(({ id, name }) => ({ id, name })));
    },
  ),
];

const tooManyIds = (count: number): Refusal =>
  new Refusal('invalid_request', {
    param: 'ids',
    message: `ids has ${count} ids. At most ${MAX_IDS} are allowed.`,
  });

async function findAccountOrKey(
  accounts: Accounts,
  id: string,
): Promise<{ id: string; name: string | null } | undefined> {
  if (id.startsWith('key_')) return accounts.findKey(id);
  const account = await accounts.find(id);
  return account instanceof Refusal ? undefined : account;
}
