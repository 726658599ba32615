-- Returns the time until a window has room, as `SlidingWindow.waitMs` does.
CREATE OR REPLACE FUNCTION window_wait(bins bigint[], newest bigint, width bigint, now bigint, room bigint)
RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  staying bigint := 0;
BEGIN
  FOR bin IN REVERSE newest .. newest - 60 LOOP
    staying := staying + bins[bin % 61 + 1];
    IF staying > room THEN RETURN (bin + 61) * width - now; END IF;
  END LOOP;
  RETURN 0;
END
$$;

-- Locks the ends of chains in their order, which guard the balances.
CREATE OR REPLACE FUNCTION lock_heads(accounts text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM account_head WHERE account_id = ANY (accounts)) < cardinality(accounts) THEN
    INSERT INTO account_head (account_id, sequence, number, hash)
      SELECT u.id, 0, 0, '' FROM unnest(accounts) AS u (id) ORDER BY u.id COLLATE "C"
      ON CONFLICT DO NOTHING;
  END IF;
  PERFORM 1 FROM account_head WHERE account_id = ANY (accounts) ORDER BY account_id COLLATE "C" FOR UPDATE;
END
$$;

-- Deletes scopes without recent requests.
CREATE OR REPLACE FUNCTION sweep_limits() RETURNS bigint LANGUAGE sql AS $$
  WITH swept AS (
    DELETE FROM limit_state WHERE scope IN (
      SELECT l.scope FROM limit_state l WHERE l.under_way = 0 AND l.used_at < now_ms() - 360000
      LIMIT 10000 FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*) FROM swept
$$;
