import { accountOperations } from './account-operations.ts';
import type { Accounts } from './accounts.ts';
import type { AccountsDependencies } from './accounts-dependencies.ts';
import { keyOperations } from './key-operations.ts';

/** Creates the operations on accounts, keys and the audit log. */
export function createAccounts(dependencies: AccountsDependencies): Accounts {
  const { store, clock } = dependencies;
  return {
    ...accountOperations(dependencies),
    ...keyOperations(dependencies),
    findAudit: (id) => store.findAudit(id),
    listAudit: (page) => store.listAudit(page),
    record: (action, target, { before, after, actor }) =>
      store.recordAudit({ at: clock.now(), actor, action, target, before, after }),
    recordRepeated: (event) => store.recordRepeated({ ...event, at: clock.now() }),
  };
}
