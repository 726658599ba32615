import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { type AccountsParts, accountsOf } from './accounts-of.ts';

/** The part of a store in which the first account and its key are made. */
export type DraftStore = Pick<AccountStore, 'createAccount' | 'findAccount' | 'createKey'>;

type FirstStartParts = Omit<AccountsParts, 'store'> & { installation: InstallationStore | undefined };

/**
 * Returns the parts with which one of several nodes makes the first account. Undefined if no other process
 * shares the store.
 */
export const firstStartOf = ({ installation, ...parts }: FirstStartParts) =>
  installation && {
    installation,
    /** Makes accounts and keys as the server does, in another store. It has no other operations. */
    accountsOn: (draft: DraftStore): Accounts =>
      accountsOf({ ...parts, store: draft as AccountStore }, { forgetKey() {}, forgetAccount() {} }),
  };
