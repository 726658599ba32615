import type { AuditEntry } from '../../money/accounts/audit.ts';

type AuditFacts = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'target'> & {
  before?: unknown;
  after?: unknown;
};

/** Returns the entry of the audit log for a change of people. */
export const auditOf = ({ before = null, after = null, ...facts }: AuditFacts): AuditEntry => ({
  ...facts,
  before,
  after,
});
