import type { ApiKey } from './api-key.ts';
import type { AuditEntry, AuditedAction } from './audit.ts';

type KeyChanged = AuditedAction & { before?: ApiKey; after: ApiKey };

/** Returns the entry of the audit log for a change of a key. */
export const auditOfKey = (at: number, { actor, action, before, after }: KeyChanged): AuditEntry => ({
  at,
  actor,
  action,
  target: after.id,
  before: before ? audited(before) : null,
  after: audited(after),
});

/** Removes the hashes, since readers of the audit log must not see them. */
const audited = ({ hash: _hash, version: _version, previous, ...key }: ApiKey) => ({
  ...key,
  ...(previous && { previousSecretEndsAt: previous.endsAt }),
});
