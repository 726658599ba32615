import type { Account } from './account.ts';
import type { AuditEntry, AuditedChange } from './audit.ts';
import { auditOfChange } from './audit-of-change.ts';

/** Returns the entry of the audit log for a change of an account. */
export const auditOfAccount = (at: number, change: AuditedChange<Account>): AuditEntry =>
  auditOfChange(at, change, show);

/** Removes the version, which is internal to the store, and the derived fields. */
const show = ({ version: _, daysGranted: __, hasBudgets: ___, ...account }: Account): Partial<Account> =>
  account;
