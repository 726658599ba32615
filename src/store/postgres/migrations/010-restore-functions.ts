/**
 * `restore` writes back what a node took before the windows were lost: amounts by scope and bin, its places and its holds. An era is ready
 * when every open node that began before it has done so. `sweep_limits` forgets scopes without recent requests.
 */
export const restoreFunctions = `
    CREATE FUNCTION restore_windows(p_node text, p_scopes jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
        IF cardinality(state.bins) = 122 THEN state.bins := state.bins || array_fill(0::bigint, ARRAY[122]); END IF;
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
    $$
    --;
    CREATE FUNCTION return_places(p_node text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      state record;
      k integer;
    BEGIN
      FOR state IN SELECT l.scope, l.nodes, l.places FROM limit_state l WHERE p_node = ANY (l.nodes)
        ORDER BY l.scope COLLATE "C" FOR UPDATE
      LOOP
        k := array_position(state.nodes, p_node);
        UPDATE limit_state l SET under_way = l.under_way - state.places[k],
            nodes = state.nodes[: k - 1] || state.nodes[k + 1 :],
            places = state.places[: k - 1] || state.places[k + 1 :]
          WHERE l.scope = state.scope AND k IS NOT NULL;
      END LOOP;
      DELETE FROM gate_call g WHERE g.node = p_node;
    END
    $$
    --;
    CREATE FUNCTION settle_era() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE era SET ready = true WHERE NOT ready AND NOT EXISTS (
        SELECT 1 FROM node n WHERE n.closed_at IS NULL AND n.started_at <= era.began_at
          AND NOT EXISTS (SELECT 1 FROM era_node e WHERE e.era = era.id AND e.node = n.id));
    END
    $$
    --;
    CREATE FUNCTION restore(p_node text, p_scopes jsonb, p_holds jsonb) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      current era;
    BEGIN
      PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
      IF NOT FOUND THEN RETURN '{"closed":true}'; END IF;
      INSERT INTO era (one, id, ready, began_at) VALUES (1, gen_random_uuid()::text, false, now_ms()) ON CONFLICT DO NOTHING;
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
    $$
    --;
    CREATE FUNCTION sweep_limits() RETURNS bigint LANGUAGE sql AS $$
      WITH swept AS (
        DELETE FROM limit_state WHERE scope IN (
          SELECT l.scope FROM limit_state l WHERE l.under_way = 0 AND l.used_at < now_ms() - 360000
          LIMIT 10000 FOR UPDATE SKIP LOCKED)
        RETURNING 1)
      SELECT count(*) FROM swept
    $$`;
