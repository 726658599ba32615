import type { Accounts } from '../accounts/accounts.ts';
import { Refusal } from '../errors/refusal.ts';
import type { StateFiles } from './state-files.ts';

/** Credits without an end: whoever runs the server should not run out of them while trying it. */
const FIRST_PLAN = 'enterprise';
const ACTOR = 'first-start';

/** An empty store gets an account and a key, kept in a file until the operator deletes it. Later starts find what they made. */
export async function ensureFirstKey(accounts: Accounts, files: StateFiles): Promise<string | undefined> {
  const { items } = await accounts.list({ limit: 1 });
  if (items.length > 0) return files.read('first-key');
  const account = await accounts.create({ name: 'First account', plan: FIRST_PLAN }, ACTOR);
  const created = await accounts.createKey(account.id, { name: 'First key' }, ACTOR);
  if (created instanceof Refusal) throw new Error(created.message);
  files.write('first-key', created.secret);
  return created.secret;
}
