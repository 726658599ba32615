import type { Clock } from '../../base/lib/clock.ts';
import type { Names } from '../../base/lib/names.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import type { AccountStore } from './account-store.ts';
import type { ApiKey } from './api-key.ts';

/** The parts that the operations on accounts and keys use. */
export type OperationParts = {
  store: AccountStore;
  clock: Clock;
  plans: () => Plans;
  names: () => Names;
  /** Returns the public id of a model for any of its spellings. */
  resolveModelId: (spelling: string) => string | undefined;
  /** Returns the most keys of an account that work. Undefined if the number has no limit. */
  maxKeys?: () => number;
  /** Reports whether a person is a member of an account. Undefined at the first start: nobody is one. */
  isMember?: (accountId: string, personId: string) => Promise<boolean>;
  /** Receives a key whose change is durable, so that caches can drop their copies. */
  onKeyChanged: (key: ApiKey) => void;
  /** Receives the id of an account whose change is durable, so that caches can drop their copies. */
  onAccountChanged: (accountId: string) => void;
};
