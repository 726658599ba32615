-- Reads the usage of an entry. A damaged text counts in no sum.
CREATE OR REPLACE FUNCTION usage_of(entry_text text) RETURNS TABLE (
  key_id text, model text, hour bigint, input bigint, cached_input bigint, output bigint, microcredits bigint
) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v jsonb;
BEGIN
  v := entry_text::jsonb;
  IF v ->> 3 IS DISTINCT FROM 'usage' OR jsonb_typeof(v -> 7) IS DISTINCT FROM 'array' THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT v #>> '{7,0}', v #>> '{7,2}', (v ->> 2)::bigint / 3600000, (v #>> '{7,4,0}')::bigint,
    (v #>> '{7,4,1}')::bigint, (v #>> '{7,4,3}')::bigint, (v ->> 5)::bigint;
EXCEPTION WHEN others THEN
  RETURN; -- a damaged text counts in no sum
END
$$;

-- Adds the entries of a range of transactions to the sums of hours and days.
CREATE OR REPLACE FUNCTION add_usage(from_xid xid8, to_xid xid8, after_number bigint)
RETURNS void LANGUAGE sql AS $$
  WITH sums AS (
    SELECT entry.account_id, u.hour, u.key_id, u.model, count(*) AS requests, sum(u.input) AS input,
      sum(u.cached_input) AS cached_input, sum(u.output) AS output, sum(u.microcredits) AS microcredits
    FROM entry CROSS JOIN LATERAL usage_of(entry.text) u
    WHERE xid >= from_xid AND xid < to_xid AND number > after_number
      AND u.key_id IS NOT NULL AND u.model IS NOT NULL AND u.input + u.cached_input + u.output IS NOT NULL
      AND u.hour IS NOT NULL AND u.microcredits IS NOT NULL
    GROUP BY 1, 2, 3, 4
  ), hours AS (
    INSERT INTO usage_hour AS old
    SELECT account_id, hour, key_id, model, requests, input, cached_input, output, microcredits
    FROM sums ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, hour, key_id, model) DO UPDATE SET
      requests = old.requests + EXCLUDED.requests,
      input_tokens = old.input_tokens + EXCLUDED.input_tokens,
      cached_input_tokens = old.cached_input_tokens + EXCLUDED.cached_input_tokens,
      output_tokens = old.output_tokens + EXCLUDED.output_tokens,
      microcredits = old.microcredits + EXCLUDED.microcredits
  )
  INSERT INTO usage_day AS old
  SELECT account_id, hour / 24, key_id, model, sum(requests), sum(input), sum(cached_input), sum(output),
    sum(microcredits)
  FROM sums GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET
    requests = old.requests + EXCLUDED.requests,
    input_tokens = old.input_tokens + EXCLUDED.input_tokens,
    cached_input_tokens = old.cached_input_tokens + EXCLUDED.cached_input_tokens,
    output_tokens = old.output_tokens + EXCLUDED.output_tokens,
    microcredits = old.microcredits + EXCLUDED.microcredits
$$;

-- Returns the usage of the entries that the sums do not have yet.
CREATE OR REPLACE FUNCTION usage_beyond_watermark(of_account text) RETURNS TABLE (
  key_id text, model text, hour bigint, input bigint, cached_input bigint, output bigint, microcredits bigint
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  mark usage_watermark;
BEGIN
  -- A stable function sees the snapshot of its statement. With the watermark as a constant the planner knows
  -- that few entries follow.
  SELECT * INTO mark FROM usage_watermark;
  RETURN QUERY EXECUTE format(
    'SELECT u.* FROM entry CROSS JOIN LATERAL usage_of(entry.text) u
     WHERE account_id = $1 AND xid >= %L::xid8 AND number > %s', mark.xid, coalesce(mark.restored_up_to, 0))
    USING of_account;
END
$$;

-- Adds up to `most` entries to the sums and moves the watermark. Returns 'busy' if another node sums, 'more'
-- if entries are left, and 'done' otherwise. A dump that was restored into another cluster is adopted
-- first.
CREATE OR REPLACE FUNCTION roll_up_usage(most integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  mark usage_watermark;
  until xid8;
  last xid8;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7465823642) THEN
    RETURN 'busy';
  END IF;
  SELECT * INTO mark FROM usage_watermark;
  IF mark.xid > pg_snapshot_xmax(pg_current_snapshot()) THEN
    LOCK TABLE entry IN SHARE MODE;
    PERFORM add_usage(mark.xid, '18446744073709551615', mark.restored_up_to);
    UPDATE usage_watermark SET xid = pg_snapshot_xmin(pg_current_snapshot()), is_tidy = false, seal = DEFAULT,
      restored_up_to = (SELECT coalesce(max(number), 0) FROM entry);
    RETURN 'more';
  END IF;
  IF NOT mark.is_tidy THEN
    UPDATE entry SET xid = '1' WHERE number IN (
      SELECT number FROM entry WHERE xid >= mark.xid AND number <= mark.restored_up_to LIMIT most);
    IF NOT FOUND THEN
      UPDATE usage_watermark SET is_tidy = true, seal = DEFAULT;
      mark.is_tidy := true;
    END IF;
  END IF;
  until := pg_snapshot_xmin(pg_current_snapshot());
  SELECT xid INTO last FROM entry WHERE xid >= mark.xid AND xid < until AND number > mark.restored_up_to
    ORDER BY xid OFFSET most LIMIT 1;
  IF FOUND THEN
    until := greatest(last, (mark.xid::text::numeric + 1)::text::xid8);
  ELSE
    PERFORM FROM entry WHERE xid >= mark.xid AND xid < until AND number > mark.restored_up_to LIMIT 1;
    IF NOT FOUND THEN
      RETURN CASE WHEN mark.is_tidy THEN 'done' ELSE 'more' END;
    END IF;
  END IF;
  PERFORM add_usage(mark.xid, until, mark.restored_up_to);
  UPDATE usage_watermark SET xid = until, seal = DEFAULT;
  RETURN CASE WHEN mark.is_tidy AND last IS NULL THEN 'done' ELSE 'more' END;
END
$$;
