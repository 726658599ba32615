import type { AuditEntry, AuditedChange } from './audit.ts';

/** Returns the entry of the audit log for a change of a record. `show` returns what readers may see of it. */
export const auditOfChange = <Item extends { id: string }>(
  at: number,
  { actor, action, before, after }: AuditedChange<Item>,
  show: (item: Item) => unknown,
): AuditEntry => ({
  at,
  actor,
  action,
  target: after.id,
  before: before ? show(before) : null,
  after: show(after),
});
