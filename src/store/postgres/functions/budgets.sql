-- Returns the length of a sliding window. Its bins are a 60th of it.
CREATE OR REPLACE FUNCTION budget_span(span text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE span WHEN 'hour' THEN 3600000 WHEN '5h' THEN 18000000 WHEN 'day' THEN 86400000
    WHEN 'week' THEN 604800000 ELSE 2592000000 END
$$;

-- Returns the start of the bin that an amount of this time is counted in, as `binOf` does. Weeks begin on
-- Monday, and 1970 began on a Thursday.
CREATE OR REPLACE FUNCTION budget_bin(kind text, span text, at bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN kind = 'sliding' THEN at - at % (budget_span(span) / 60)
    WHEN span = 'hour' THEN at - at % 3600000
    WHEN span = '5h' THEN at - at % 86400000 % 18000000
    WHEN span = 'day' THEN at - at % 86400000
    WHEN span = 'week' THEN at - at % 86400000 - (at / 86400000 + 3) % 7 * 86400000
    ELSE (extract(epoch FROM date_trunc('month', to_timestamp(at / 1000) AT TIME ZONE 'UTC')) * 1000)::bigint
  END
$$;

-- Returns the first bin that counts at a time.
CREATE OR REPLACE FUNCTION budget_first(kind text, span text, at bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT budget_bin(kind, span, at) - CASE kind WHEN 'sliding' THEN budget_span(span) ELSE 0 END
$$;

-- Returns the limit of a budget at a time, with a raise that has not ended.
CREATE OR REPLACE FUNCTION budget_limit(b budget, at bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT b.limit_microcredits + CASE WHEN (b.raised::jsonb ->> 'endsAt')::bigint > at
    THEN (b.raised::jsonb ->> 'addMicrocredits')::bigint ELSE 0 END
$$;

-- Returns the budgets that a request counts for, with their targets and bins. Labels are the person, the end
-- user and the tags. The head of the account must be locked.
CREATE OR REPLACE FUNCTION budgets_of(p_account text, p_key text, p_labels jsonb, p_at bigint)
RETURNS TABLE (rule budget, target text, bin bigint) LANGUAGE sql STABLE AS $$
  SELECT b, t.target, budget_bin(b.kind, b.span, p_at)
  FROM budget b CROSS JOIN LATERAL (
    SELECT '' AS target WHERE b.scope = 'organization'
    UNION ALL SELECT p_key WHERE b.scope = 'key'
    UNION ALL SELECT p_labels ->> 0 WHERE b.scope = 'member'
    UNION ALL SELECT p_labels ->> 1 WHERE b.scope = 'end_user'
    UNION ALL SELECT x FROM jsonb_array_elements_text(CASE WHEN b.scope = 'tag' THEN p_labels -> 2 END) AS x
  ) AS t
  WHERE b.account_id = p_account AND t.target IS NOT NULL AND (b.target IS NULL OR b.target = t.target)
    AND budget_bin(b.kind, b.span, p_at) >= b.counts_from
  ORDER BY b.sequence
$$;

-- Returns the amounts of these budgets, as JSON lists: `[budget, target, used, held, first bin with an
-- amount]`.
CREATE OR REPLACE FUNCTION budget_states(p_account text, p_key text, p_labels jsonb, p_at bigint)
RETURNS TABLE (state jsonb, room bigint, is_spent boolean) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(to_jsonb(o.rule), o.target, s.used, s.held, s.first),
    budget_limit(o.rule, p_at) - s.used - s.held, s.used >= budget_limit(o.rule, p_at)
  FROM budgets_of(p_account, p_key, p_labels, p_at) AS o CROSS JOIN LATERAL (
    SELECT coalesce(sum(x.used), 0)::bigint AS used, coalesce(sum(x.held), 0)::bigint AS held,
      min(x.bin) FILTER (WHERE x.used + x.held > 0) AS first
    FROM budget_spend x
    WHERE x.account_id = p_account AND x.counter = (o.rule).counter AND x.target = o.target
      AND x.bin BETWEEN budget_first((o.rule).kind, (o.rule).span, p_at) AND o.bin
  ) AS s
$$;

-- Holds an amount of the budgets of a request, and returns the rows that have it.
CREATE OR REPLACE FUNCTION hold_budgets(p_account text, p_key text, p_labels jsonb, p_at bigint,
  amount bigint)
RETURNS jsonb LANGUAGE sql AS $$
  WITH held AS (
    INSERT INTO budget_spend AS s (account_id, counter, target, bin, held)
      SELECT p_account, (o.rule).counter, o.target, o.bin, amount
      FROM budgets_of(p_account, p_key, p_labels, p_at) AS o
      ON CONFLICT (account_id, counter, target, bin) DO UPDATE SET held = s.held + EXCLUDED.held
    RETURNING s.counter, s.target, s.bin)
  SELECT jsonb_agg(jsonb_build_array(counter, target, bin)) FROM held
$$;

-- Adds to what rows hold. A row that was removed meanwhile is left out.
CREATE OR REPLACE FUNCTION move_budgets(p_account text, places jsonb, amount bigint)
RETURNS void LANGUAGE sql AS $$
  UPDATE budget_spend s SET held = s.held + amount
    FROM jsonb_array_elements(places) AS x
    WHERE s.account_id = p_account AND s.counter = x ->> 0 AND s.target = x ->> 1
      AND s.bin = (x ->> 2)::bigint
$$;

-- Holds an amount again in rows that may be lost. Counters that were removed are left out.
CREATE OR REPLACE FUNCTION restore_budgets(p_account text, places jsonb, amount bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_spend AS s (account_id, counter, target, bin, held)
    SELECT p_account, b.counter, x ->> 1, (x ->> 2)::bigint, amount
    FROM jsonb_array_elements(places) AS x JOIN budget b ON b.account_id = p_account AND b.counter = x ->> 0
    WHERE (x ->> 2)::bigint >= b.counts_from
    ON CONFLICT (account_id, counter, target, bin) DO UPDATE SET held = s.held + EXCLUDED.held
$$;

-- Counts a charge for all budgets of its request, and returns their amounts.
CREATE OR REPLACE FUNCTION spend_budgets(p_account text, p_key text, p_labels jsonb, p_at bigint,
  amount bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO budget_spend AS s (account_id, counter, target, bin, used, requests)
    SELECT p_account, (o.rule).counter, o.target, o.bin, amount, 1
    FROM budgets_of(p_account, p_key, p_labels, p_at) AS o
    ON CONFLICT (account_id, counter, target, bin)
    DO UPDATE SET used = s.used + EXCLUDED.used, requests = s.requests + 1;
  RETURN (SELECT jsonb_agg(b.state) FROM budget_states(p_account, p_key, p_labels, p_at) AS b);
END
$$;

-- Adds the difference to an estimate to all budgets that its request counts for. No request is added.
CREATE OR REPLACE FUNCTION correct_budgets(p_account text, p_key text, p_labels jsonb, p_at bigint,
  amount bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO budget_spend AS s (account_id, counter, target, bin, used)
    SELECT p_account, (o.rule).counter, o.target, o.bin, amount
    FROM budgets_of(p_account, p_key, p_labels, p_at) AS o
    ON CONFLICT (account_id, counter, target, bin) DO UPDATE SET used = s.used + EXCLUDED.used;
  RETURN (SELECT jsonb_agg(b.state) FROM budget_states(p_account, p_key, p_labels, p_at) AS b);
END
$$;

-- Writes how many budgets an account has where postings and nodes look for it. Nodes notice the new
-- version of the account.
CREATE OR REPLACE FUNCTION count_budgets(p_account text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  count_of integer := (SELECT count(*) FROM budget WHERE account_id = p_account);
BEGIN
  UPDATE account_head SET has_budgets = count_of > 0 WHERE account_id = p_account;
  UPDATE account SET budgets = count_of, version = version + 1 WHERE id = p_account AND budgets <> count_of;
END
$$;

-- Moves the start of a budget's counts, and deletes the rows before it.
CREATE OR REPLACE FUNCTION sweep_budget(p_id text, p_account text, p_from bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_heads(ARRAY[p_account]);
  DELETE FROM budget_spend s USING budget b
    WHERE b.id = p_id AND b.counts_from < p_from AND s.account_id = p_account AND s.counter = b.counter
      AND s.bin < p_from;
  UPDATE budget SET counts_from = p_from WHERE id = p_id AND counts_from < p_from;
END
$$;
