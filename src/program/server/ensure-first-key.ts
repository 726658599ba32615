import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { DraftStore } from '../assembly/first-start-of.ts';
import { FirstAccountDraft } from './first-account-draft.ts';
import type { StateFiles } from './state-files.ts';

/** The first account has unlimited credits, so that a trial does not end for lack of credits. */
const FIRST_PLAN = 'enterprise';
const ACTOR = 'first-start';

/**
 * Creates an account and a key in an empty store, and writes the key to a file that the operator can delete.
 * Later starts read that file. The empty file is created first. After an interrupted start it is still empty,
 * and the next start completes the work.
 */
export async function ensureFirstKey(accounts: Accounts, files: StateFiles): Promise<string | undefined> {
  const { items } = await accounts.list({ limit: 1 });
  const isUnfinished = files.exists('first-key') && files.read('first-key') === undefined;
  if (items.length > 0 && !isUnfinished) return files.read('first-key');
  await files.write('first-key', '');
  const secret = await createFirstKey(accounts, items[0]);
  await files.write('first-key', secret);
  return secret;
}

type SharedFirstStart = {
  installation: InstallationStore;
  /** Makes accounts and keys as the server does, in another store. */
  accountsOn(store: DraftStore): Accounts;
  files: StateFiles;
};

/**
 * Creates the account and the key in a store that several nodes share. Only the node that made them has the
 * file. The file is written first, so that an interruption cannot lose the key of an account that exists.
 */
export async function ensureSharedFirstKey({
  installation,
  accountsOn,
  files,
}: SharedFirstStart): Promise<string | undefined> {
  if (await installation.hasFirstAccount()) return files.read('first-key');
  const draft = new FirstAccountDraft();
  const secret = await createFirstKey(accountsOn(draft));
  const former = files.read('first-key');
  await files.write('first-key', secret);
  if ((await installation.claimFirstAccount(draft.take())) === 'made') return secret;
  if (former === undefined) await files.remove('first-key');
  else await files.write('first-key', former);
  return former;
}

async function createFirstKey(accounts: Accounts, existing?: Account): Promise<string> {
  const account = existing ?? (await accounts.create({ name: 'First account', plan: FIRST_PLAN }, ACTOR));
  const { secret } = acceptedOrError(await accounts.createKey(account.id, { name: 'First key' }, ACTOR));
  return secret;
}
