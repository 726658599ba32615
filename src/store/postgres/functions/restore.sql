-- Writes back the windows and places that a node has taken before they were lost.
CREATE OR REPLACE FUNCTION restore_windows(p_node text, p_scopes jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now bigint := now_ms();
  given record;
  state limit_state;
  bin bigint;
  w integer;
  at_bin integer;
BEGIN
  INSERT INTO limit_state (scope) SELECT x.scope FROM jsonb_to_recordset(p_scopes) AS x (scope text)
    ORDER BY x.scope COLLATE "C" ON CONFLICT DO NOTHING;
  FOR given IN SELECT x.* FROM jsonb_to_recordset(p_scopes) AS x (scope text, places integer, bins jsonb)
    ORDER BY x.scope COLLATE "C"
  LOOP
    SELECT l.* INTO state FROM limit_state l WHERE l.scope = given.scope FOR UPDATE;
    IF cardinality(state.bins) = 122 THEN
      state.bins := state.bins || array_fill(0::bigint, ARRAY[122]);
    END IF;
    FOR w IN 1 .. 4 LOOP
      bin := now / CASE WHEN w = 3 THEN 5000 ELSE 1000 END;
      FOR step IN 0 .. least(bin - state.newest[w], 61) - 1 LOOP
        at_bin := (w - 1) * 61 + 1 + (bin - step) % 61;
        state.total[w] := state.total[w] - state.bins[at_bin];
        state.bins[at_bin] := 0;
      END LOOP;
      state.newest[w] := greatest(bin, state.newest[w]);
    END LOOP;
    FOR w, bin, at_bin IN SELECT (b ->> 0)::integer, (b ->> 1)::bigint, (b ->> 2)::integer
      FROM jsonb_array_elements(given.bins) AS b
    LOOP
      CONTINUE WHEN bin < state.newest[w] - 60;
      bin := least(bin, state.newest[w]);
      state.total[w] := state.total[w] + at_bin;
      state.bins[(w - 1) * 61 + 1 + bin % 61] := state.bins[(w - 1) * 61 + 1 + bin % 61] + at_bin;
    END LOOP;
    UPDATE limit_state l SET newest = state.newest, total = state.total, bins = state.bins, used_at = now,
        under_way = l.under_way + given.places,
        nodes = CASE WHEN given.places > 0 THEN l.nodes || p_node ELSE l.nodes END,
        places = CASE WHEN given.places > 0 THEN l.places || given.places ELSE l.places END
      WHERE l.scope = given.scope;
  END LOOP;
END
$$;

-- Makes the era ready when every open node that began before it has written back its windows.
CREATE OR REPLACE FUNCTION settle_era() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE era SET ready = true WHERE NOT ready AND NOT EXISTS (
    SELECT 1 FROM node n WHERE n.closed_at IS NULL AND n.started_at <= era.began_at
      AND NOT EXISTS (SELECT 1 FROM era_node e WHERE e.era = era.id AND e.node = n.id));
END
$$;

-- Writes back the holds of a node, and voids those that it does not name.
CREATE OR REPLACE FUNCTION restore_holds(p_node text, p_holds jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  given record;
BEGIN
  PERFORM lock_heads(ARRAY(SELECT DISTINCT u.id FROM (
    SELECT o.account_id AS id FROM open_hold o WHERE o.node = p_node
    UNION SELECT x.account_id FROM jsonb_to_recordset(p_holds) AS x (account_id text)) AS u));
  PERFORM void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = p_node AND NOT EXISTS (
    SELECT 1 FROM jsonb_to_recordset(p_holds) AS x (request_id text) WHERE x.request_id = o.request_id)));
  FOR given IN SELECT x.* FROM jsonb_to_recordset(p_holds) AS x (request_id text, account_id text,
    key_id text, pays text, period text, month text, microcredits bigint, is_capped boolean, at bigint,
    entry_id text, budgets jsonb)
  LOOP
    CONTINUE WHEN given.microcredits = 0 OR EXISTS (SELECT 1 FROM entry e WHERE e.id = given.entry_id);
    INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits,
      is_capped, at, budgets)
      VALUES (given.request_id, p_node, given.account_id, given.key_id, given.pays, given.period, given.month,
        given.microcredits, given.is_capped, given.at, given.budgets)
      ON CONFLICT (request_id) DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    IF given.pays = 'purchased' THEN
      UPDATE bucket b SET held = b.held + given.microcredits
        WHERE b.account_id = given.account_id AND b.period = given.period;
    END IF;
    IF given.is_capped THEN
      INSERT INTO key_month AS m (key_id, month, account_id, held)
        VALUES (given.key_id, given.month, given.account_id, given.microcredits)
        ON CONFLICT (key_id, month) DO UPDATE SET held = m.held + EXCLUDED.held;
    END IF;
    IF given.budgets IS NOT NULL THEN
      PERFORM restore_budgets(given.account_id, given.budgets, given.microcredits);
    END IF;
  END LOOP;
END
$$;

-- Writes back what a node took before the windows were lost: amounts by scope and bin, its places and its
-- holds.
CREATE OR REPLACE FUNCTION restore(p_node text, p_scopes jsonb, p_holds jsonb)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  current era;
BEGIN
  PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN RETURN '{"closed":true}'; END IF;
  INSERT INTO era (one, id, ready, began_at) VALUES (1, gen_random_uuid()::text, false, now_ms())
    ON CONFLICT DO NOTHING;
  IF FOUND THEN PERFORM announce('era', (SELECT e.id FROM era e)); END IF;
  SELECT e.* INTO current FROM era e FOR UPDATE;
  INSERT INTO era_node (era, node) VALUES (current.id, p_node) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM restore_windows(p_node, p_scopes);
    PERFORM restore_holds(p_node, p_holds);
  END IF;
  PERFORM settle_era();
  SELECT e.* INTO current FROM era e;
  RETURN json_build_object('era', current.id, 'ready', current.ready)::text;
END
$$;
