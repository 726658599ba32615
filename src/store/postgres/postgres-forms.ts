import type { AuditEntry } from '../../money/accounts/audit.ts';
import { JOINED_MS } from '../../money/accounts/joined-changes.ts';
import { rowOfAudit } from '../audit-rows.ts';
import type { AuditForms, SqlForms } from '../sql-forms.ts';
import { SqlStatement } from '../sql-statement.ts';

const raiseSql = `
  UPDATE audit
  SET after = (after::jsonb || jsonb_build_object(
    'times', (after::jsonb ->> 'times')::bigint + $7::bigint, 'lastAt', $1::bigint
  ))::text
  WHERE sequence = (
    SELECT sequence FROM audit
    WHERE target = $5 AND action = $4 AND actor = $3 AND at > $2
      AND CASE jsonb_typeof(after::jsonb)
        WHEN 'object' THEN after::jsonb - 'times' - 'lastAt' = $6::jsonb
      END
    ORDER BY sequence DESC LIMIT 1)
  RETURNING sequence`;

const audit: AuditForms = {
  *record(entry) {
    const statement = new SqlStatement();
    yield { text: `SELECT ${auditCall(statement, entry)}`, values: statement.values };
  },

  range: ({ before, since, until }) => [
    `sequence < ${before}`,
    ...(since === undefined ? [] : [`at >= ${since}`]),
    ...(until === undefined ? [] : [`at <= ${until}`]),
  ],

  raise: ({ at, actor, action, target, details, times }) => ({
    text: raiseSql,
    values: [at, at - JOINED_MS, actor, action, target, JSON.stringify(details), times],
  }),
};

/** The forms of Postgres. With the collation C, `lower` changes ASCII letters alone. */
export const postgresForms: SqlForms = {
  lower: (text) => `lower(${text} COLLATE "C")`,
  position: 'strpos',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  forUpdate: 'FOR UPDATE',
  lockStored: (account) => `lock_stored(ARRAY[${account}]) IS NOT NULL`,
  takeLock: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
  announceKey: `SELECT announce('key', $1)`,
  rowsOf: (parameter, columns) => {
    const typed = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`);
    return `jsonb_to_recordset(CAST(${parameter} AS text)::jsonb) AS given (${typed.join(', ')})`;
  },
  elementsOf: (parameter) => `jsonb_array_elements(${parameter}::text::jsonb) AS given (value)`,
  isShared: true,
  indexed: (table) => table,
  /** Makes the other creations for the account wait until this one is committed. */
  hasSpaceForKey: ({ account, now, limit }) => `has_room_for_key(${account}, ${now}, ${limit})`,
  /** A unique index decides between two processes. */
  unlessNameInUse: 'ON CONFLICT (lower(name COLLATE "C")) WHERE revoked_at IS NULL DO NOTHING',
  audit,
};

/**
 * Returns a call that writes the entry under a lock, so that entries become visible in the order of their
 * numbers.
 */
export function auditCall(statement: SqlStatement, entry: AuditEntry): string {
  const places = Object.values(rowOfAudit(entry)).map((value) => statement.bind(value));
  return `record_audit(${places.join(', ')})`;
}
