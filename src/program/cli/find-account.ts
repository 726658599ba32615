import { nearestName } from '../../base/schema/nearest-name.ts';
import { allItems } from './all-items.ts';
import { callAdmin } from './call-admin.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

type NamedAccount = { id: string; name: string };

const ID = /^acct_\w+$/;

/** Returns the id of the account that the command line gives by its id or its name. */
export const findAccount = (invocation: Invocation): Promise<string> =>
  findAccountNamed(invocation, invocation.required('ACCOUNT'));

/** Returns the id of the account with this id or name. */
export const findAccountNamed = (invocation: Invocation, text: string): Promise<string> =>
  accountNamed(text, accountsOfServer(invocation));

/** Yields all accounts of the server. */
export const accountsOfServer = (invocation: Invocation): AsyncGenerator<NamedAccount> =>
  allItems(async (query) => {
    const { data, has_more } = await callAdmin(invocation, 'GET /accounts', { query });
    return { items: data, hasMore: has_more };
  });

/** Finds an account in a list. Fails if no account or several have the name. */
export async function accountNamed(text: string, accounts: AsyncIterable<NamedAccount>): Promise<string> {
  if (ID.test(text)) return text;
  const ids: string[] = [];
  const names = new Set<string>();
  for await (const { id, name } of accounts) {
    names.add(name);
    if (name === text) ids.push(id);
  }
  const [first, ...others] = ids;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw new CommandFailure(`${ids.length} accounts have the name '${text}': ${ids.join(', ')}; use an id`);
  const nearest = nearestName(text, [...names]);
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new CommandFailure(`no account has the id or the name '${text}'${hint}`);
}
