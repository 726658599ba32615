-- Rounds a time of expiry up to the second under which its bytes are counted.
CREATE OR REPLACE FUNCTION second_of(milliseconds bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (milliseconds + 999) / 1000
$$;

-- Locks the sums of accounts. Callers do so before the first change of their stored rows, so that changes of
-- one account are never concurrent.
CREATE OR REPLACE FUNCTION lock_stored(owners text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found_rows integer;
BEGIN
  PERFORM FROM account_storage WHERE account_id = ANY (owners) AND until = 0 ORDER BY account_id FOR UPDATE;
  GET DIAGNOSTICS found_rows = ROW_COUNT;
  IF found_rows = cardinality(owners) THEN RETURN; END IF;
  INSERT INTO account_storage (account_id, until, bytes)
    SELECT DISTINCT owner, 0, 0 FROM unnest(owners) AS owner
    WHERE owner IS NOT NULL
      AND NOT EXISTS (SELECT FROM account_storage WHERE account_id = owner AND until = 0)
    ORDER BY owner
    ON CONFLICT (account_id, until) DO UPDATE SET bytes = account_storage.bytes;
END
$$;

-- Adds changes to the sums of an account, by the second of expiry.
CREATE OR REPLACE FUNCTION change_stored(owner text, seconds bigint[], changes bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_storage (account_id, until, bytes)
    SELECT owner, step.until, sum(step.change)::bigint
    FROM (
      SELECT * FROM unnest(seconds, changes)
      UNION ALL
      SELECT 0, change FROM unnest(changes) AS change
    ) AS step (until, change)
    GROUP BY step.until HAVING sum(step.change) <> 0
    ON CONFLICT (account_id, until) DO UPDATE SET bytes = account_storage.bytes + excluded.bytes;
  IF NOT 0 > ANY (changes) THEN RETURN; END IF;
  DELETE FROM account_storage
    WHERE account_id = owner AND until = ANY (seconds) AND until > 0 AND bytes = 0;
END
$$;

-- Adds one change to the sums of an account.
CREATE OR REPLACE FUNCTION add_stored(owner text, until_second bigint, change bigint)
RETURNS void LANGUAGE sql AS $$
  SELECT change_stored(owner, ARRAY[until_second], ARRAY[change])
$$;
