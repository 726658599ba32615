-- Adds to the sums of the requests that named an end user or ended with an error. An account has at most
-- `most_users` names of end users a day; later ones count without a name. The rows are locked in the order of
-- their keys, so that no two nodes wait for each other.
CREATE OR REPLACE FUNCTION add_request_sums(given jsonb, most_users integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one_day record;
  beyond jsonb := '{}'; -- the names of end users that count without a name, by account and day
  users integer;
BEGIN
  -- A crash may lose the sums of the last moments. Nothing waits for them.
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR one_day IN
    SELECT g.account_id, g.hour / 24 AS day, array_agg(DISTINCT g."user") AS names
    FROM jsonb_to_recordset(given) AS g (account_id text, hour bigint, "user" text)
    WHERE g."user" <> '' GROUP BY 1, 2
  LOOP
    SELECT count(DISTINCT d."user") INTO users FROM request_day d
    WHERE d.account_id = one_day.account_id AND d.day = one_day.day AND d."user" <> '';
    beyond := jsonb_set(beyond, ARRAY[one_day.account_id || ' ' || one_day.day], coalesce((
      SELECT jsonb_agg(late.name) FROM (
        SELECT given_name AS name FROM unnest(one_day.names) AS given_name WHERE NOT EXISTS (
          SELECT FROM request_day d
          WHERE d.account_id = one_day.account_id AND d.day = one_day.day
            AND d."user" = given_name COLLATE "C")
        ORDER BY 1 OFFSET greatest(0, most_users - users)
      ) AS late), '[]'));
  END LOOP;
  WITH summed AS MATERIALIZED (
    SELECT account_id, hour, key_id, model, code, requests, errors, input_tokens, cached_input_tokens,
      output_tokens, microcredits,
      CASE WHEN beyond -> (account_id || ' ' || hour / 24) ? "user" THEN '' ELSE "user" END AS "user"
    FROM jsonb_to_recordset(given) AS g (
      account_id text, hour bigint, "user" text, key_id text, model text, code text, requests bigint,
      errors bigint, input_tokens bigint, cached_input_tokens bigint, output_tokens bigint,
      microcredits bigint)
  ), hours AS (
    INSERT INTO request_hour AS old
    SELECT account_id COLLATE "C", hour, "user" COLLATE "C", key_id COLLATE "C", model COLLATE "C",
      code COLLATE "C", sum(requests), sum(errors), sum(input_tokens), sum(cached_input_tokens),
      sum(output_tokens), sum(microcredits)
    FROM summed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, hour, "user", key_id, model, code) DO UPDATE SET
      requests = old.requests + excluded.requests,
      errors = old.errors + excluded.errors,
      input_tokens = old.input_tokens + excluded.input_tokens,
      cached_input_tokens = old.cached_input_tokens + excluded.cached_input_tokens,
      output_tokens = old.output_tokens + excluded.output_tokens,
      microcredits = old.microcredits + excluded.microcredits
  )
  INSERT INTO request_day AS old
  SELECT account_id COLLATE "C", hour / 24, "user" COLLATE "C", key_id COLLATE "C", model COLLATE "C",
    code COLLATE "C", sum(requests), sum(errors), sum(input_tokens), sum(cached_input_tokens),
    sum(output_tokens), sum(microcredits)
  FROM summed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (account_id, day, "user", key_id, model, code) DO UPDATE SET
    requests = old.requests + excluded.requests,
    errors = old.errors + excluded.errors,
    input_tokens = old.input_tokens + excluded.input_tokens,
    cached_input_tokens = old.cached_input_tokens + excluded.cached_input_tokens,
    output_tokens = old.output_tokens + excluded.output_tokens,
    microcredits = old.microcredits + excluded.microcredits;
END
$$;

-- Deletes up to `most` expired hours and days each.
CREATE OR REPLACE FUNCTION sweep_request_sums(hours_before bigint, days_before bigint, most integer)
RETURNS bigint
LANGUAGE sql AS $$
  WITH hours AS (
    DELETE FROM request_hour WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM request_hour WHERE hour < hours_before LIMIT most FOR UPDATE SKIP LOCKED)) RETURNING 1
  ), days AS (
    DELETE FROM request_day WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM request_day WHERE day < days_before LIMIT most FOR UPDATE SKIP LOCKED)) RETURNING 1
  )
  SELECT (SELECT count(*) FROM hours) + (SELECT count(*) FROM days)
$$;
