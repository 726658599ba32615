import type { Clock } from '../../base/lib/clock.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { createAccounts } from '../../money/accounts/create-accounts.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';

export type AccountsParts = {
  store: AccountStore;
  clock: Clock;
  holder: SnapshotSource;
  isMember?: (accountId: string, personId: string) => Promise<boolean>;
};

/** Creates the operations on accounts and keys. Changes drop the copies of the authenticator. */
export const accountsOf = (
  { store, clock, holder, isMember }: AccountsParts,
  authenticator: Pick<Authenticator, 'forgetKey' | 'forgetAccount'>,
): Accounts =>
  createAccounts({
    store,
    clock,
    plans: () => holder.current.plans,
    names: () => holder.current.names,
    resolveModelId: (spelling) => holder.current.catalog.lookUp(spelling, 'chat')?.entry.model.id,
    maxKeys: () => holder.current.config.limits.keys_per_organization,
    ...(isMember && { isMember }),
    onKeyChanged: ({ id }) => authenticator.forgetKey(id),
    onAccountChanged: (id) => authenticator.forgetAccount(id),
  });
