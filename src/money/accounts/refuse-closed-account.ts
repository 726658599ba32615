import { Refusal } from '../../base/errors/refusal.ts';
import type { AccountStore } from './account-store.ts';

/** Refuses an operation that needs an account that is not closed. */
export const refuseClosed = (param: string | null = null): Refusal =>
  new Refusal('account_closed', { message: 'This account is closed; make it active first.', param });

/** Refuses a change of a key whose account is closed. */
export async function refuseClosedAccount(
  store: Pick<AccountStore, 'findKey' | 'findAccount'>,
  keyId: string,
): Promise<Refusal | undefined> {
  const key = await store.findKey(keyId);
  const account = key && (await store.findAccount(key.accountId));
  return account?.status === 'closed' ? refuseClosed() : undefined;
}
