import type { PostgresMigration } from '../migration.ts';

const FIGURES = [
  'requests',
  'errors',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'microcredits',
];

const columns = `
      "user" text COLLATE "C" NOT NULL,
      key_id text COLLATE "C" NOT NULL,
      model text COLLATE "C" NOT NULL,
      code text COLLATE "C" NOT NULL,
      ${FIGURES.map((figure) => `${figure} bigint NOT NULL`).join(',\n      ')},`;

/** The rows are locked in the order of their keys, so that no two nodes wait for each other. */
const addTo = (table: string, time: string, value: string): string => `
      INSERT INTO ${table} AS old
      SELECT account_id COLLATE "C", ${value}, "user" COLLATE "C", key_id COLLATE "C", model COLLATE "C", code COLLATE "C",
        ${FIGURES.map((figure) => `sum(${figure})`).join(', ')}
      FROM summed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (account_id, ${time}, "user", key_id, model, code) DO UPDATE SET
        ${FIGURES.map((figure) => `${figure} = old.${figure} + excluded.${figure}`).join(',\n        ')}`;

/** Sums of the requests that named an end user or ended with an error. The ledger has neither. */
export const requestSums: PostgresMigration = {
  number: 32,
  name: 'request-sums',
  sql: `
    CREATE TABLE request_hour (
      account_id text COLLATE "C" NOT NULL,
      hour bigint NOT NULL,${columns}
      PRIMARY KEY (account_id, hour, "user", key_id, model, code)
    ) WITH (fillfactor = 70)
    --;
    CREATE INDEX request_hour_by_time ON request_hour (hour)
    --;
    CREATE TABLE request_day (
      account_id text COLLATE "C" NOT NULL,
      day bigint NOT NULL,${columns}
      PRIMARY KEY (account_id, day, "user", key_id, model, code)
    ) WITH (fillfactor = 70)
    --;
    CREATE INDEX request_day_by_time ON request_day (day)
    --;
    CREATE FUNCTION add_request_sums(given jsonb, most_users integer) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      one record;
      beyond jsonb := '{}';
      users integer;
    BEGIN
      -- A crash may lose the sums of the last moments. Nothing waits for them.
      PERFORM set_config('synchronous_commit', 'off', true);
      FOR one IN
        SELECT g.account_id, g.hour / 24 AS day, array_agg(DISTINCT g."user") AS names
        FROM jsonb_to_recordset(given) AS g (account_id text, hour bigint, "user" text)
        WHERE g."user" <> '' GROUP BY 1, 2
      LOOP
        SELECT count(DISTINCT d."user") INTO users FROM request_day d
        WHERE d.account_id = one.account_id AND d.day = one.day AND d."user" <> '';
        beyond := jsonb_set(beyond, ARRAY[one.account_id || ' ' || one.day], coalesce((
          SELECT jsonb_agg(n) FROM (
            SELECT n FROM unnest(one.names) n WHERE NOT EXISTS (
              SELECT FROM request_day d WHERE d.account_id = one.account_id AND d.day = one.day AND d."user" = n COLLATE "C")
            ORDER BY 1 OFFSET greatest(0, most_users - users)
          ) late), '[]'));
      END LOOP;
      WITH summed AS MATERIALIZED (
        SELECT account_id, hour, key_id, model, code, ${FIGURES.join(', ')},
          CASE WHEN beyond -> (account_id || ' ' || hour / 24) ? "user" THEN '' ELSE "user" END AS "user"
        FROM jsonb_to_recordset(given) AS g (account_id text, hour bigint, "user" text, key_id text, model text,
          code text, ${FIGURES.map((figure) => `${figure} bigint`).join(', ')})
      ), hours AS (${addTo('request_hour', 'hour', 'hour')}
      )${addTo('request_day', 'day', 'hour / 24')};
    END
    $$
    --;
    CREATE FUNCTION sweep_request_sums(hours_before bigint, days_before bigint, most integer) RETURNS bigint
    LANGUAGE sql AS $$
      WITH hours AS (
        DELETE FROM request_hour WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM request_hour WHERE hour < hours_before LIMIT most FOR UPDATE SKIP LOCKED)) RETURNING 1
      ), days AS (
        DELETE FROM request_day WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM request_day WHERE day < days_before LIMIT most FOR UPDATE SKIP LOCKED)) RETURNING 1
      )
      SELECT (SELECT count(*) FROM hours) + (SELECT count(*) FROM days)
    $$
  `,
};
