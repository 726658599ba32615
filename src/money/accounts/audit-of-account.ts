import type { Account } from './account.ts';
import type { AuditEntry, AuditedAction } from './audit.ts';

type AccountChanged = AuditedAction & { before?: Account; after: Account };

/** Returns the entry of the audit log for a change of an account. */
export const auditOfAccount = (at: number, { actor, action, before, after }: AccountChanged): AuditEntry => ({
  at,
  actor,
  action,
  target: after.id,
  before: before ? audited(before) : null,
  after: audited(after),
});

/** Removes the version, which is internal to the store, and what is derived. */
const audited = ({ version: _, daysGranted: __, hasBudgets: ___, ...account }: Account): Partial<Account> =>
  account;
