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

-- Makes the table of earlier versions the first of the tables by month. Its rows end before `until`. The new
-- table gets the comments of the earlier one.
CREATE OR REPLACE FUNCTION replace_requests(bound text, until bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  LOCK TABLE request_group IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT last_value FROM %s', pg_get_serial_sequence('request_group', 'sequence'))
    INTO latest;
  ALTER TABLE request_group ALTER COLUMN sequence DROP IDENTITY;
  ALTER TABLE request_group RENAME TO request_group_first;
  ALTER INDEX request_by_account RENAME TO request_by_account_first;
  ALTER INDEX request_by_end RENAME TO request_by_end_first;
  CREATE TABLE request_group (LIKE request_group_first INCLUDING STORAGE INCLUDING COMMENTS)
    PARTITION BY RANGE (ended_at);
  EXECUTE format('COMMENT ON TABLE request_group IS %L',
    obj_description('request_group_first'::regclass, 'pg_class'));
  CREATE SEQUENCE request_group_sequence OWNED BY request_group.sequence;
  PERFORM setval('request_group_sequence', latest);
  ALTER TABLE request_group ALTER COLUMN sequence SET DEFAULT nextval('request_group_sequence');
  CREATE INDEX request_by_account ON request_group (account_id, sequence);
  CREATE INDEX request_by_end ON request_group (ended_at, first_id, last_id);
  -- The constraint proves what the range asks, so no row is read.
  EXECUTE format('ALTER TABLE request_group ATTACH PARTITION request_group_first FOR VALUES FROM (MINVALUE) TO (%s)',
    until);
  EXECUTE format('ALTER TABLE request_group_first DROP CONSTRAINT %I', bound);
  INSERT INTO request_month (name, starts, ends) VALUES ('request_group_first', -9223372036854775808, until);
END
$$;

-- Returns true if a table has this time, or if the table of earlier versions is not divided yet.
CREATE OR REPLACE FUNCTION is_request_month_made(at bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM request_month) OR EXISTS (
    SELECT 1 FROM request_month WHERE starts <= at AND ends > at
  )
$$;

-- Makes the table of the month with this time, unless a table has the time.
CREATE OR REPLACE FUNCTION make_request_month(at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month request_month%ROWTYPE;
BEGIN
  IF is_request_month_made(at) THEN
    RETURN;
  END IF;
  -- No other node makes a month meanwhile.
  PERFORM pg_advisory_xact_lock(7465823648);
  IF is_request_month_made(at) THEN
    RETURN;
  END IF;
  month.starts := month_start(at, 0);
  month.ends := month_start(at, 1);
  month.name := 'request_group_' || to_char(to_timestamp(month.starts / 1000) AT TIME ZONE 'UTC', 'YYYY_MM');
  EXECUTE format('CREATE TABLE %I (LIKE request_group INCLUDING DEFAULTS INCLUDING STORAGE, PRIMARY KEY (sequence))',
    month.name);
  -- Unlike CREATE TABLE … PARTITION OF, this lets others read and write the months that exist.
  EXECUTE format('ALTER TABLE request_group ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
    month.name, month.starts, month.ends);
  INSERT INTO request_month VALUES (month.name, month.starts, month.ends);
END
$$;

-- Drops the table of the oldest month if all its records have expired, and returns how many groups it had.
CREATE OR REPLACE FUNCTION drop_request_month(ended_before bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  month text;
  gone record;
  removed integer := 0;
BEGIN
  SELECT name INTO month FROM request_month WHERE ends <= ended_before ORDER BY ends LIMIT 1;
  IF month IS NULL THEN
    RETURN 0;
  END IF;
  -- Records can still be added to the other months and read in all of them, until the table is dropped.
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', month);
  FOR gone IN EXECUTE format(
    'SELECT account_id, sum(count) AS records, count(*) AS groups FROM %I GROUP BY 1 ORDER BY 1', month)
  LOOP
    UPDATE request_count SET kept = kept - gone.records WHERE account_id = gone.account_id;
    DELETE FROM request_count WHERE account_id = gone.account_id AND kept <= 0;
    removed := removed + gone.groups;
  END LOOP;
  EXECUTE format('DROP TABLE %I', month);
  DELETE FROM request_month WHERE name = month;
  RETURN removed;
END
$$;

-- Divides the table of earlier versions, makes the coming months, and drops an expired one. Returns how many
-- groups are gone, or `most` if there is more to do. It waits for no lock, since the next sweep can try
-- again.
CREATE OR REPLACE FUNCTION sweep_request_months(ended_before bigint, most integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
BEGIN
  -- Another node sweeps.
  IF NOT pg_try_advisory_xact_lock(7465823649) THEN
    RETURN 0;
  END IF;
  IF NOT divide_requests() THEN
    RETURN most;
  END IF;
  PERFORM make_request_month(month_start(now_ms(), later)) FROM generate_series(0, 2) AS later;
  RETURN drop_request_month(ended_before);
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
  RETURN 0;
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
  -- Groups that are written together are nearly always of one month.
  IF NOT EXISTS (
    SELECT 1 FROM request_month AS month,
      (SELECT min(e) AS low, max(e) AS high FROM unnest(ends) AS e) AS given
    WHERE month.starts <= given.low AND month.ends > given.high
  ) THEN
    PERFORM make_request_month(e) FROM unnest(ends) AS e;
  END IF;
  INSERT INTO request_group (account_id, ended_at, first_id, last_id, count, lines)
  SELECT a, e, f, l, c, decode(p, 'base64')
  FROM unnest(account_ids, ends, first_ids, last_ids, counts, packed)
    WITH ORDINALITY AS given (a, e, f, l, c, p, place)
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

-- Drops an expired month, or else deletes up to `most` groups that ended before a time.
CREATE OR REPLACE FUNCTION sweep_requests(ended_before bigint, most integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  removed integer;
BEGIN
  -- Another node sweeps.
  IF NOT pg_try_advisory_xact_lock(7465823647) THEN
    RETURN 0;
  END IF;
  removed := sweep_request_months(ended_before, most);
  IF removed > 0 THEN
    RETURN removed;
  END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN forget_requests(ARRAY(
    SELECT sequence FROM request_group WHERE ended_at < ended_before
    ORDER BY ended_at LIMIT most FOR UPDATE SKIP LOCKED
  ));
END
$$;
