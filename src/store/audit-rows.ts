import type { AuditEntry, AuditRecord } from '../money/accounts/audit.ts';
import { auditIdOf } from './audit-id.ts';
import type { CommonRow } from './common-queries.ts';

/** Returns the columns of an entry, in the order of the parameters of `record_audit`. */
export const rowOfAudit = ({ at, actor, action, target, before, after }: AuditEntry) => ({
  at,
  actor,
  action,
  target,
  before: jsonOf(before),
  after: jsonOf(after),
});

export const recordOfRow = (row: CommonRow): AuditRecord => ({
  id: auditIdOf(row.sequence as number),
  at: row.at as number,
  actor: row.actor as string,
  action: row.action as string,
  target: row.target as string,
  before: JSON.parse(row.before as string),
  after: JSON.parse(row.after as string),
  changes: row.changes as number,
});

/** Writes a value as JSON. Undefined becomes null. */
const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';
