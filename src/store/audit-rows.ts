import type { AuditEntry, AuditRecord } from '../money/accounts/audit.ts';
import { auditIdOf } from './audit-id.ts';
import type { CommonRow } from './common-queries.ts';
import { json, number, text } from './row-columns.ts';

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
  id: auditIdOf(number(row, 'sequence')),
  at: number(row, 'at'),
  actor: text(row, 'actor'),
  action: text(row, 'action'),
  target: text(row, 'target'),
  before: json(row, 'before'),
  after: json(row, 'after'),
  changes: number(row, 'changes'),
});

/** Writes a value as JSON. Undefined becomes null. */
const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';
