-- Announces a change to the other nodes. A notice can be lost, so nodes also read the table.
CREATE OR REPLACE FUNCTION announce(kind text, subject text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (at, kind, subject) VALUES (now_ms(), announce.kind, announce.subject);
  PERFORM pg_notify('tollgate', announce.kind || ':' || announce.subject);
END
$$;

-- Deletes changes that every node has read. One node sweeps at a time.
CREATE OR REPLACE FUNCTION sweep_changes(kept_ms bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ended_before bigint := now_ms() - kept_ms;
  removed integer;
BEGIN
  -- Another node sweeps.
  IF NOT pg_try_advisory_xact_lock(7465823644) THEN
    RETURN 0;
  END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM change WHERE id IN (SELECT id FROM change WHERE at < ended_before ORDER BY at LIMIT most);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

-- Claims the first admin token. Returns true for one node, which then makes the token.
CREATE OR REPLACE FUNCTION claim_admin_token(hash text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE installation SET admin_token_hash = hash WHERE admin_token_hash IS NULL;
  RETURN FOUND;
END
$$;

-- Claims the first account. Returns true for one node, which then makes the account.
CREATE OR REPLACE FUNCTION claim_first_account(id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE installation SET first_account_id = claim_first_account.id
  WHERE first_account_id IS NULL AND NOT EXISTS (SELECT FROM account);
  RETURN FOUND;
END
$$;
