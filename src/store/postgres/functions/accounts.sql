-- Reports whether an account may have one more key. The lock comes first: the count sees what was committed
-- before the lock was given.
CREATE OR REPLACE FUNCTION has_room_for_key(account text, at_ms bigint, most bigint)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('keys of ' || account, 0));
  RETURN (
    SELECT count(*) < most FROM api_key
    WHERE account_id = account AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > at_ms));
END
$$;

-- Returns the field that a change concerns, if it is only one and its changes are joined.
CREATE OR REPLACE FUNCTION audit_field(action text, before jsonb, after jsonb)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN action IN ('account-change', 'key-change', 'auto-reload-change', 'alert-receivers-change')
      AND jsonb_typeof(before) = 'object' AND jsonb_typeof(after) = 'object' THEN (
      SELECT CASE WHEN count(*) = 1 AND min(key) NOT IN ('status', 'email', 'emailVerified', 'role')
        THEN min(key) END
      FROM jsonb_each(before) AS b FULL JOIN jsonb_each(after) AS a USING (key)
      WHERE b.value IS DISTINCT FROM a.value)
  END
$$;

-- Writes an entry of the audit log, as the last step of a change. Its lock lets entries become visible in the
-- order of their numbers. Repeated changes of one field by one actor within ten minutes are one entry, with
-- the first state before and the last one after. An id in the state says that the target is the changed
-- thing. Otherwise the other fields must be equal.
CREATE OR REPLACE FUNCTION record_audit(
  at bigint, actor text, action text, target text, before text, after text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  field text := audit_field(record_audit.action, record_audit.before::jsonb, record_audit.after::jsonb);
  state_before jsonb := record_audit.before::jsonb;
  state_after jsonb := record_audit.after::jsonb;
  earlier record;
BEGIN
  PERFORM pg_advisory_xact_lock(7465823646);
  IF field IS NOT NULL AND state_after ? field THEN
    FOR earlier IN
      SELECT sequence, latest.after::jsonb AS state,
        jsonb_set(latest.after::jsonb, ARRAY[field], state_after -> field) AS joined
      FROM (
        SELECT * FROM audit
        WHERE audit.target = record_audit.target AND audit.action = record_audit.action
          AND audit.actor = record_audit.actor AND audit.at > record_audit.at - 600000
        ORDER BY sequence DESC LIMIT 20
      ) AS latest
      WHERE audit_field(latest.action, latest.before::jsonb, latest.after::jsonb) = field
      ORDER BY sequence DESC
    LOOP
      IF earlier.state -> field IS NOT DISTINCT FROM state_before -> field
        AND (earlier.state ? 'id' OR earlier.joined = state_after) THEN
        UPDATE audit SET after = earlier.joined::text, changes = audit.changes + 1
          WHERE sequence = earlier.sequence;
        RETURN;
      END IF;
    END LOOP;
  END IF;
  INSERT INTO audit (at, actor, action, target, before, after)
  VALUES (record_audit.at, record_audit.actor, record_audit.action, record_audit.target, record_audit.before,
    record_audit.after);
END
$$;
