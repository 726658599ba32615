import type { ApiKey } from './api-key.ts';
import type { AuditEntry, AuditedChange } from './audit.ts';
import { auditOfChange } from './audit-of-change.ts';

/** Returns the entry of the audit log for a change of a key. */
export const auditOfKey = (at: number, change: AuditedChange<ApiKey>): AuditEntry =>
  auditOfChange(at, change, show);

/** Removes the hashes, since readers of the audit log must not see them. */
const show = ({ hash: _hash, version: _version, previous, ...key }: ApiKey) => ({
  ...key,
  ...(previous && { previousSecretEndsAt: previous.endsAt }),
});
