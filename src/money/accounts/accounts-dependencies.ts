import type { Clock } from '../../base/lib/clock.ts';
import type { Names } from '../../base/lib/names.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import type { AccountStore } from './account-store.ts';
import type { ApiKey } from './api-key.ts';

export type AccountsDependencies = {
  store: AccountStore;
  clock: Clock;
  plans: () => Plans;
  names: () => Names;
  /** Returns the public id of a model for any of its spellings. */
  resolveModelId: (spelling: string) => string | undefined;
  /** Is called once the change is durable, so that caches of keys and accounts can drop their copy. */
  /** The most keys that an account may have, without those that have ended. `undefined` means any number. */
  maxKeys?: () => number;
  /** Reports whether a person is a member of an account. Without it, every person is. */
  isMember?: (accountId: string, personId: string) => Promise<boolean>;
  onKeyChanged: (key: ApiKey) => void;
  onAccountChanged: (accountId: string) => void;
};
