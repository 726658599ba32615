import type { Refusal } from '../../base/errors/refusal.ts';
import { refuseClosed } from './account-status.ts';
import type { AccountStore } from './account-store.ts';

/** Refuses a change of a key whose account is closed. */
export async function refuseClosedAccount(
  store: Pick<AccountStore, 'findKey' | 'findAccount'>,
  keyId: string,
): Promise<Refusal | undefined> {
  const key = await store.findKey(keyId);
  const account = key && (await store.findAccount(key.accountId));
  return account?.status === 'closed' ? refuseClosed() : undefined;
}
