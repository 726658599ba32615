import { DAY_MS } from '../../../base/lib/units.ts';
import { callAdmin } from '../call-admin.ts';
import { CommandFailure } from '../command-failure.ts';
import { dataDirectory } from '../data-directory.ts';
import { findAccountNamed } from '../find-account.ts';
import type { Invocation } from '../invocation.ts';
import { namesServer, readLine } from '../server-access.ts';

/**
 * Works with the API key that pays: that of the command line or the environment, a new one of the account
 * that the command line names, or the first key of the data directory.
 */
export async function withPayingKey<T>(
  invocation: Invocation,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const account = invocation.text('account');
  if (account !== undefined) return withNewKey(invocation, account, work);
  const chosenKey =
    invocation.text('key') ??
    (invocation.terminal.environment.TOLLGATE_API_KEY || undefined) ??
    (namesServer(invocation) ? undefined : readLine(dataDirectory(invocation), 'first-key'));
  if (chosenKey !== undefined) return work(chosenKey);
  throw new CommandFailure(
    'no API key: pass one with --key or TOLLGATE_API_KEY, or an account that pays with --account',
  );
}

/** Longer than any test, and than clocks of two machines differ. */
const KEY_MS = DAY_MS;

/** Makes a key, which is revoked at the end. It expires, since an interrupt ends the command before that. */
async function withNewKey<T>(
  invocation: Invocation,
  account: string,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const { id, key } = await callAdmin(invocation, 'POST /accounts/{id}/keys', {
    params: { id: await findAccountNamed(invocation, account) },
    body: { name: 'models test', expires_at: new Date(Date.now() + KEY_MS).toISOString() },
  });
  try {
    return await work(key);
  } finally {
    await callAdmin(invocation, 'DELETE /keys/{id}', { params: { id } });
  }
}
