import type { Clock } from '../../base/lib/clock.ts';
import type { Names } from '../../base/lib/names.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import type { AccountStore } from './account-store.ts';
export type AccountsDependencies = {
  store: AccountStore;
  clock: Clock;
  plans: () => Plans;
  names: () => Names;
  /** The public id of a model in any of its spellings. */
  resolveModelId: (spelling: string) => string | undefined;
  /** Called after the change is durable, for whoever remembers keys and accounts. */
  onKeyChanged: (hash: string) => void;
  onAccountChanged: (accountId: string) => void;
};
