import type { PostgresMigration } from '../migration.ts';
import { editFunction } from './edit-function.ts';

/**
 * Counts the keys of an account in the transaction that adds one. Counts the changes that an entry of the audit log stands for, and joins
 * only changes of ordinary fields.
 */
export const boundedKeys: PostgresMigration = {
  number: 42,
  name: 'bounded-keys',
  sql: `
    -- The lock comes first: the count sees what was committed before the lock was given.
    CREATE FUNCTION has_room_for_key(account text, at_ms bigint, most bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('keys of ' || account, 0));
      RETURN (
        SELECT count(*) < most FROM api_key
        WHERE account_id = account AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > at_ms));
    END
    $$
    --;
    ALTER TABLE audit ADD COLUMN changes integer NOT NULL DEFAULT 1
    --;
    ${editFunction('audit_field', [
      [
        `action LIKE '%-change'`,
        `action IN ('account-change', 'key-change', 'auto-reload-change', 'alert-receivers-change')`,
      ],
      [
        'CASE WHEN count(*) = 1 THEN',
        `CASE WHEN count(*) = 1 AND min(key) NOT IN ('status', 'email', 'emailVerified', 'role') THEN`,
      ],
    ])}
    --;
    ${editFunction('record_audit', [
      [
        'UPDATE audit SET after = earlier.joined::text WHERE',
        'UPDATE audit SET after = earlier.joined::text, changes = audit.changes + 1 WHERE',
      ],
    ])}
  `,
};
