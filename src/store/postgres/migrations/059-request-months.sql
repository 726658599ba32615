-- The records of requests are kept in a table for each month, so that a month that has expired is dropped whole.
-- `request_month` lists these tables with the times of their rows. The first one is the table of earlier versions; it
-- has everything before the end of the month in which it was divided. Each table has a primary key of its own, since a
-- key of all of them would need the time in it. The numbers come from one sequence.
--
-- Statements name `request_group` alone, so versions that do not know of months read and write it too.

CREATE TABLE request_month (
  name text PRIMARY KEY,
  starts bigint NOT NULL,
  ends bigint NOT NULL
);

-- Returns the first millisecond of the month that is `later` months after the one with this time.
CREATE FUNCTION month_start(at bigint, later integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (extract(epoch FROM
    (date_trunc('month', to_timestamp(at / 1000.0) AT TIME ZONE 'UTC') + make_interval(months => later))
    AT TIME ZONE 'UTC') * 1000)::bigint
$$;

-- Takes the next of three steps that divide the table of earlier versions by months, and returns true after the last.
-- Each step is a transaction of its own. The long one is the second: it reads all rows, and nothing waits for it. The
-- others change the catalog alone, and fail rather than keep others waiting for their lock. Autovacuum gives way after a
-- second.
CREATE FUNCTION divide_requests() RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $$
DECLARE
  bound record;
  until bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM pg_class WHERE oid = 'request_group'::regclass AND relkind = 'p') THEN
    RETURN true;
  END IF;
  SELECT conname AS name, convalidated AS is_valid INTO bound FROM pg_constraint
  WHERE conrelid = 'request_group'::regclass AND conname LIKE 'request_group_before_%';
  IF bound IS NULL THEN
    -- The month must not end before the last step.
    until := month_start(now_ms() + 604800000, 1);
    EXECUTE format('ALTER TABLE request_group ADD CONSTRAINT %I CHECK (ended_at < %s) NOT VALID',
      'request_group_before_' || until, until);
    RETURN false;
  END IF;
  IF NOT bound.is_valid THEN
    EXECUTE format('ALTER TABLE request_group VALIDATE CONSTRAINT %I', bound.name);
    RETURN false;
  END IF;
  until := replace(bound.name, 'request_group_before_', '')::bigint;
  PERFORM replace_requests(bound.name, until);
  RETURN true;
END
$$;

-- Makes the table of earlier versions the first of the tables by month. Its rows end before `until`.
CREATE FUNCTION replace_requests(bound text, until bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  LOCK TABLE request_group IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT last_value FROM %s', pg_get_serial_sequence('request_group', 'sequence')) INTO latest;
  ALTER TABLE request_group ALTER COLUMN sequence DROP IDENTITY;
  ALTER TABLE request_group RENAME TO request_group_first;
  ALTER INDEX request_by_account RENAME TO request_by_account_first;
  ALTER INDEX request_by_end RENAME TO request_by_end_first;
  CREATE TABLE request_group (LIKE request_group_first INCLUDING STORAGE) PARTITION BY RANGE (ended_at);
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

-- A table without rows is divided at once. Later versions divide others while they serve.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM request_group) THEN
    WHILE NOT divide_requests() LOOP
    END LOOP;
  END IF;
END
$$;
