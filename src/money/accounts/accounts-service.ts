import type { Clock } from '../../base/lib/clock.ts';
import type { Names } from '../../base/lib/names.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import { accountOperations } from './account-operations.ts';
import type { AccountStore } from './account-store.ts';
import type { Accounts } from './accounts.ts';
import { keyOperations } from './key-operations.ts';

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

export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { store, clock } = dependencies;
  return {
    ...accountOperations(dependencies),
    ...keyOperations(dependencies),
    listAudit: (page) => store.listAudit(page),
    record: (action, target, { before, after, actor }) =>
      store.recordAudit({ at: clock.now(), actor, action, target, before, after }),
  };
}
