-- Adds a node and returns the time of the database. Deletes the nodes that were closed more than a day ago,
-- since each node that another one closes leaves its row behind.
CREATE OR REPLACE FUNCTION register_node(
  new_id text, new_version text, new_config_hash text, new_host text, new_worker integer
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  at bigint := now_ms();
BEGIN
  DELETE FROM node WHERE closed_at < at - 86400000;
  INSERT INTO node (id, started_at, heartbeat, version, config_hash, host, worker)
  VALUES (new_id, at, at, new_version, new_config_hash, new_host, new_worker);
  RETURN at;
END
$$;

-- Writes the heartbeat of a node and returns the changes of the other nodes, with one call. `overlap_ms`
-- repeats some changes, since changes can commit in an order that differs from their ids.
CREATE OR REPLACE FUNCTION pulse(own_id text, own_config_hash text, own_requests integer, overlap_ms bigint)
RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := now_ms();
  is_open boolean;
BEGIN
  UPDATE node SET heartbeat = greatest(heartbeat, moment), config_hash = own_config_hash,
    open_requests = own_requests
  WHERE id = own_id AND closed_at IS NULL;
  is_open := FOUND;
  RETURN jsonb_build_object(
    'now', moment,
    'ahead', (SELECT clock_ahead_ms FROM installation),
    'open', is_open,
    'silent', (SELECT coalesce(jsonb_agg(id), '[]') FROM node WHERE closed_at IS NULL
      AND heartbeat < moment - 10000),
    'changes', (
      SELECT coalesce(jsonb_agg(jsonb_build_array(change.id, change.kind, change.subject)
        ORDER BY change.id), '[]')
      FROM change WHERE change.at >= moment - overlap_ms
    )
  );
END
$$;

-- Moves the test clock, and with it the heartbeats and leases of running nodes, so that no node has fallen
-- silent.
CREATE OR REPLACE FUNCTION advance_clock(by_ms bigint, by_node text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE change SET at = at + by_ms WHERE at >= now_ms() - 60000;
  UPDATE installation SET clock_ahead_ms = clock_ahead_ms + by_ms;
  UPDATE node SET heartbeat = heartbeat + by_ms WHERE closed_at IS NULL;
  UPDATE batch_item SET due_at = due_at + by_ms
    WHERE state = 'running' AND node IS NOT NULL AND submission IS NULL;
  PERFORM announce('clock', by_node);
END
$$;

-- Ends the places of a node in all windows.
CREATE OR REPLACE FUNCTION return_places(p_node text) RETURNS void LANGUAGE plpgsql AS $$
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
$$;

-- Ends a node and its holds. A hold with output is posted from its checkpoint, and the others are voided.
CREATE OR REPLACE FUNCTION close_node(p_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  heartbeat_at bigint;
  pieces json;
  answer jsonb;
  billed bigint := 0;
  voided bigint;
  late record;
BEGIN
  SELECT n.heartbeat INTO heartbeat_at FROM node n WHERE n.id = p_id FOR UPDATE;
  UPDATE node SET closed_at = now_ms() WHERE id = p_id AND closed_at IS NULL;
  -- In the order of restore, which locks the era before chain heads.
  PERFORM 1 FROM era e WHERE NOT e.ready FOR UPDATE;
  PERFORM return_places(p_id);
  PERFORM lock_heads(ARRAY(SELECT DISTINCT o.account_id FROM open_hold o WHERE o.node = p_id));
  UPDATE open_hold o SET node = '' WHERE o.node = p_id AND EXISTS (
    SELECT 1 FROM batch_item i WHERE i.batch = o.away_batch AND i.number = o.away_number
      AND i.submission IS NOT NULL AND i.state IN ('queued', 'running'));
  SELECT json_agg(o.checkpoint::json -> 'settle' ORDER BY o.request_id) INTO pieces
    FROM open_hold o WHERE o.node = p_id AND o.produced;
  IF pieces IS NOT NULL THEN
    answer := post_entries(p_id, pieces)::jsonb;
    SELECT count(*) INTO billed FROM jsonb_array_elements(answer) AS x WHERE x ->> 0 = 'posted';
  END IF;
  voided := void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = p_id));
  IF heartbeat_at IS NOT NULL THEN
    FOR late IN SELECT e.id, e.node, e.posted_at, e.text FROM entry e ORDER BY e.number DESC LOOP
      EXIT WHEN late.posted_at < heartbeat_at - 60000;
      CONTINUE WHEN late.node <> p_id OR late.posted_at < heartbeat_at - 2000
        OR (late.text::json -> 7 ->> 9) IS DISTINCT FROM 'complete';
      INSERT INTO unconfirmed (entry_id) VALUES (late.id) ON CONFLICT DO NOTHING;
    END LOOP;
  END IF;
  PERFORM release_items(p_id);
  PERFORM settle_era();
  RETURN json_build_object('billed', billed, 'voided', voided)::text;
END
$$;
