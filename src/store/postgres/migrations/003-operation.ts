import type { PostgresMigration } from '../migration.ts';

/**
 * Records of requests, and alerts with their deliveries. `request_count` has the number of records of each account; its rows are locked in
 * the order of their ids, and groups are locked only if they are free, so that no two nodes wait for each other.
 *
 * A delivery is held by one process at a time, until `held_until`. `alert_occasion` has the occasions that no node must tell again until a
 * time. `credit_mark` has the balance of purchased credit after the latest purchase of each account.
 */
export const operation: PostgresMigration = {
  number: 3,
  name: 'operation',
  sql: `
    CREATE TABLE request_group (
      sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL,
      ended_at bigint NOT NULL,
      first_id text COLLATE "C" NOT NULL,
      last_id text COLLATE "C" NOT NULL,
      count integer NOT NULL,
      lines bytea NOT NULL
    )
    --;
    ALTER TABLE request_group ALTER COLUMN lines SET STORAGE EXTERNAL
    --;
    CREATE INDEX request_by_account ON request_group (account_id, sequence)
    --;
    CREATE INDEX request_by_end ON request_group (ended_at, first_id, last_id)
    --;
    CREATE TABLE request_count (
      account_id text COLLATE "C" PRIMARY KEY,
      kept bigint NOT NULL
    ) WITH (fillfactor = 50)
    --;
    CREATE FUNCTION forget_requests(sequences bigint[]) RETURNS integer LANGUAGE plpgsql AS $$
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
    $$
    --;
    CREATE FUNCTION add_requests(
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
    $$
    --;
    CREATE FUNCTION trim_requests(of_account text, records bigint) RETURNS void LANGUAGE plpgsql AS $$
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
    $$
    --;
    CREATE FUNCTION sweep_requests(ended_before bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      -- Another node sweeps.
      IF NOT pg_try_advisory_xact_lock(7465823643) THEN
        RETURN 0;
      END IF;
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN forget_requests(ARRAY(
        SELECT sequence FROM request_group WHERE ended_at < ended_before
        ORDER BY ended_at LIMIT most FOR UPDATE SKIP LOCKED
      ));
    END
    $$
    --;
    CREATE TABLE alert (
      sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      at bigint NOT NULL,
      event text NOT NULL,
      body text NOT NULL
    )
    --;
    CREATE TABLE alert_delivery (
      alert_id text NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
      webhook text COLLATE "C" NOT NULL,
      host text NOT NULL,
      state text NOT NULL,
      attempts integer NOT NULL,
      next_at bigint NOT NULL,
      ended_at bigint,
      status integer,
      error text,
      held_by text NOT NULL,
      held_until bigint NOT NULL,
      PRIMARY KEY (alert_id, webhook)
    )
    --;
    CREATE INDEX alert_delivery_waiting ON alert_delivery (held_until) WHERE state = 'waiting'
    --;
    CREATE TABLE alert_occasion (
      name text PRIMARY KEY,
      until bigint NOT NULL
    )
    --;
    CREATE INDEX alert_occasion_by_end ON alert_occasion (until)
    --;
    CREATE TABLE credit_mark (
      account_id text PRIMARY KEY,
      microcredits bigint NOT NULL
    )
    --;
    CREATE FUNCTION tell_occasion(occasion text, until bigint, at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      told integer;
    BEGIN
      INSERT INTO alert_occasion AS known (name, until) VALUES (occasion, tell_occasion.until)
      ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE known.until <= at;
      GET DIAGNOSTICS told = ROW_COUNT;
      DELETE FROM alert_occasion WHERE name IN (
        SELECT known.name FROM alert_occasion AS known WHERE known.until <= at LIMIT 100 FOR UPDATE SKIP LOCKED
      );
      RETURN told = 1;
    END
    $$
    --;
    CREATE FUNCTION add_alert(alert jsonb, body text, occasion text, until bigint, most integer, holder text, hold_ms bigint)
    RETURNS jsonb LANGUAGE plpgsql AS $$
    DECLARE
      removed jsonb;
    BEGIN
      IF occasion IS NOT NULL AND NOT tell_occasion(occasion, until, (alert ->> 'at')::bigint) THEN
        RETURN '{"isNew": false, "removed": []}';
      END IF;
      INSERT INTO alert (id, at, event, body)
      VALUES (alert ->> 'id', (alert ->> 'at')::bigint, alert ->> 'event', add_alert.body);
      INSERT INTO alert_delivery (
        alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, held_by, held_until
      )
      SELECT given."alertId", given.webhook, given.host, given.state, given.attempts, given."nextAt", given."endedAt",
        given.status, given.error, holder, now_ms() + hold_ms
      FROM jsonb_to_recordset(alert -> 'deliveries') AS given (
        "alertId" text, webhook text, host text, state text, attempts integer, "nextAt" bigint, "endedAt" bigint,
        status integer, error text
      );
      WITH beyond AS (
        SELECT id, sequence FROM alert ORDER BY sequence DESC OFFSET most
      ), free AS (
        SELECT alert.id, alert.sequence FROM alert WHERE alert.id IN (SELECT id FROM beyond) FOR UPDATE SKIP LOCKED
      ), waiting AS (
        SELECT alert_delivery.*, free.sequence FROM alert_delivery JOIN free ON free.id = alert_id
        WHERE state = 'waiting'
      ), deleted AS (
        DELETE FROM alert WHERE id IN (SELECT id FROM free)
      )
      SELECT jsonb_agg(to_jsonb(waiting) ORDER BY sequence DESC, webhook) INTO removed FROM waiting;
      RETURN jsonb_build_object('isNew', true, 'removed', coalesce(removed, '[]'));
    END
    $$
    --;
    CREATE FUNCTION take_deliveries(holder text, hold_ms bigint) RETURNS SETOF alert_delivery LANGUAGE sql AS $$
      UPDATE alert_delivery SET held_by = holder, held_until = now_ms() + hold_ms
      WHERE (alert_id, webhook) IN (
        SELECT alert_id, webhook FROM alert_delivery
        WHERE state = 'waiting' AND (held_by = holder OR held_until <= now_ms()) FOR UPDATE SKIP LOCKED
      )
      RETURNING *
    $$
  `,
};
