import { nearestName } from '../../base/schema/nearest-name.ts';
import { callAdmin } from './admin-client.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

type NamedAccount = { id: string; name: string };
type AccountPage = { items: readonly NamedAccount[]; hasMore: boolean };
type ReadPage = (page: { limit: number; after?: string }) => Promise<AccountPage>;

const ID = /^acct_\w+$/;
const PAGE = 1_000;

/** Returns the id of the account that the command line gives by its id or its name. */
export function findAccount(invocation: Invocation): Promise<string> {
  return findAccountNamed(invocation, invocation.required('ACCOUNT'));
}

/** Returns the id of the account with this id or name. */
export function findAccountNamed(invocation: Invocation, text: string): Promise<string> {
  return accountNamed(text, async ({ limit, after }) => {
    const query = { limit, after };
    const { data, has_more } = await callAdmin(invocation, 'GET /accounts', { query });
    return { items: data, hasMore: has_more };
  });
}

/** Finds an account in pages of a list. Fails if no account or several have the name. */
export async function accountNamed(text: string, read: ReadPage): Promise<string> {
  if (ID.test(text)) return text;
  const ids: string[] = [];
  const names = new Set<string>();
  let after: string | undefined;
  do {
    const { items, hasMore } = await read({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const { id, name } of items) {
      names.add(name);
      if (name === text) ids.push(id);
    }
    after = hasMore ? items.at(-1)?.id : undefined;
  } while (after !== undefined);
  const [first, ...others] = ids;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw new CommandFailure(`${ids.length} accounts have the name '${text}': ${ids.join(', ')}; use an id`);
  const nearest = nearestName(text, [...names]);
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new CommandFailure(`no account has the id or the name '${text}'${hint}`);
}
