import { accountOperations } from './account-operations.ts';
import type { Accounts } from './accounts.ts';
import { keyOperations } from './key-operations.ts';
import type { OperationParts } from './operation-parts.ts';

/** Creates the operations on accounts, keys and the audit log. */
export function createAccounts(parts: OperationParts): Accounts {
  const { store, clock } = parts;
  return {
    ...accountOperations(parts),
    ...keyOperations(parts),
    findAudit: (id) => store.findAudit(id),
    listAudit: (page) => store.listAudit(page),
    record: (action, target, { before, after, actor }) =>
      store.recordAudit({ at: clock.now(), actor, action, target, before, after }),
    recordRepeated: (event) => store.recordRepeated({ ...event, at: clock.now() }),
  };
}
