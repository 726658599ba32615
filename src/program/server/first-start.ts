import { Refusal } from '../../base/errors/refusal.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { StateFiles } from './state-files.ts';

/** The first account has unlimited credits, so that a trial does not end for lack of credits. */
const FIRST_PLAN = 'enterprise';
const ACTOR = 'first-start';

/**
 * Creates an account and a key in an empty store, and writes the key to a file that the operator can delete. Later starts read that file.
 * The empty file is created first. After an interrupted start it is still empty, and the next start completes the work.
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
