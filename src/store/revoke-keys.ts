import type { KeyRevocation } from '../customers/people/people-store.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import { auditOfKey } from '../money/accounts/audit-of-key.ts';
import type { CommonStatement, StatementSteps } from './common-queries.ts';
import { keyOfRow } from './key-rows.ts';
import { selectPeople } from './people-statement.ts';
import type { SqlForms } from './sql-forms.ts';

const revokeSql = 'UPDATE api_key SET revoked_at = $2, version = version + 1 WHERE id = $1';

/** Revokes keys. Returns the entries for the audit log, whose lock comes after those of all keys. */
export function* revokeKeys(forms: SqlForms, revocation: KeyRevocation): StatementSteps<AuditEntry[]> {
  const { at, actor } = revocation;
  const keys = (yield selectKeys(forms, revocation)).map(keyOfRow);
  for (const { id } of keys) {
    yield { text: revokeSql, values: [id, at] };
    yield { text: forms.announceKey, values: [id] };
  }
  return keys.map((before) =>
    auditOfKey(at, { actor, action: 'key-revoke', before, after: { ...before, revokedAt: at } }),
  );
}

/** Selects the keys that a revocation concerns, and keeps their rows until the change ends. */
function selectKeys(forms: SqlForms, { where }: KeyRevocation): CommonStatement {
  const tokens = selectPeople(forms, 'client_token', { where });
  const keys = `SELECT key_id FROM (${tokens.text}) AS token`;
  const text = `SELECT * FROM api_key WHERE revoked_at IS NULL AND id IN (${keys}) ORDER BY id ${forms.forUpdate}`;
  return { text, values: tokens.values };
}
