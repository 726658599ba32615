import { Refusal } from '../../base/errors/refusal.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { StateFiles } from './state-files.ts';

/** Credits without an end: whoever runs the server should not run out of them while trying it. */
const FIRST_PLAN = 'enterprise';
const ACTOR = 'first-start';

/**
 * An empty store gets an account and a key, kept in a file until the operator deletes it. Later starts find what they made. The file comes
 * first, still empty: a start that is cut short in between leaves it so, and the next one makes up for it.
 */
export async function ensureFirstKey(accounts: Accounts, files: StateFiles): Promise<string | undefined> {
  const { items } = await accounts.list({ limit: 1 });
  const isUnfinished = files.exists('first-key') && files.read('first-key') === undefined;
  if (items.length > 0 && !isUnfinished) return files.read('first-key');
  files.write('first-key', '');
  const account = items[0] ?? (await accounts.create({ name: 'First account', plan: FIRST_PLAN }, ACTOR));
  const created = await accounts.createKey(account.id, { name: 'First key' }, ACTOR);
  if (created instanceof Refusal) throw new Error(created.message);
  files.write('first-key', created.secret);
  return created.secret;
}
