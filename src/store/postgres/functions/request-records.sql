-- Deletes groups of records and subtracts them from the counts of their accounts.
CREATE OR REPLACE FUNCTION forget_requests(sequences bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  gone record;
  removed integer := 0;
BEGIN
  FOR gone IN
    WITH deleted AS (
      DELETE FROM request_group WHERE sequence = ANY(sequences) RETURNING account_id, count
    )
    SELECT account_id, sum(count) AS records, count(*) AS groups FROM deleted GROUP BY 1 ORDER BY 1
  LOOP
    UPDATE request_count SET kept = kept - gone.records WHERE account_id = gone.account_id;
    DELETE FROM request_count WHERE account_id = gone.account_id AND kept <= 0;
    removed := removed + gone.groups;
  END LOOP;
  RETURN removed;
END
$$;

-- Deletes the oldest groups of an account until this many records are gone.
CREATE OR REPLACE FUNCTION trim_requests(of_account text, records bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  oldest record;
  chosen bigint[] := '{}';
  counted bigint := 0;
BEGIN
  FOR oldest IN
    SELECT sequence, count FROM request_group WHERE account_id = of_account
    ORDER BY sequence FOR UPDATE SKIP LOCKED
  LOOP
    EXIT WHEN counted >= records;
    chosen := chosen || oldest.sequence;
    counted := counted + oldest.count;
  END LOOP;
  PERFORM forget_requests(chosen);
END
$$;

-- Adds groups of records, and removes the oldest groups of an account with more than `most_each`.
CREATE OR REPLACE FUNCTION add_requests(
  account_ids text[], ends bigint[], first_ids text[], last_ids text[], counts integer[], packed text[],
  most_each bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  over record;
BEGIN
  -- A crash may lose the records of the last moments. Nothing waits for them.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO request_group (account_id, ended_at, first_id, last_id, count, lines)
  SELECT a, e, f, l, c, decode(p, 'base64')
  FROM unnest(account_ids, ends, first_ids, last_ids, counts, packed) WITH ORDINALITY AS given (a, e, f, l, c, p, place)
  ORDER BY place;
  INSERT INTO request_count (account_id, kept)
  SELECT a COLLATE "C", sum(c) FROM unnest(account_ids, counts) AS given (a, c) GROUP BY 1 ORDER BY 1
  ON CONFLICT (account_id) DO UPDATE SET kept = request_count.kept + excluded.kept;
  FOR over IN
    SELECT account_id, kept - most_each AS records FROM request_count
    WHERE account_id = ANY(account_ids) AND kept > most_each ORDER BY account_id
  LOOP
    PERFORM trim_requests(over.account_id, over.records);
  END LOOP;
END
$$;

-- Deletes up to `most` groups that ended before a time.
CREATE OR REPLACE FUNCTION sweep_requests(ended_before bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  -- Another node sweeps.
  IF NOT pg_try_advisory_xact_lock(7465823647) THEN
    RETURN 0;
  END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN forget_requests(ARRAY(
    SELECT sequence FROM request_group WHERE ended_at < ended_before
    ORDER BY ended_at LIMIT most FOR UPDATE SKIP LOCKED
  ));
END
$$;
