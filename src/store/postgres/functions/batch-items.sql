-- Keeps a node from being closed until the end of the transaction, so that nothing is claimed for it after
-- its work was released.
CREATE OR REPLACE FUNCTION node_is_open(p_node text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
  RETURN FOUND;
END
$$;

-- Claims due items of a batch. An item at a provider is claimed only by the node that has its submission, or
-- that takes over a submission without a node. An item whose lease ended was in progress at the end of its
-- node; an item at a provider was not.
CREATE OR REPLACE FUNCTION claim_items(p_node text, p_batch bigint, p_most integer,
  p_now bigint, p_lease_until bigint)
RETURNS TABLE (
  number integer, custom_id text, request_id text, attempt integer, failures integer, deaths integer,
  submission bigint, params text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  wanted text;
  taken integer;
  room integer := p_most;
BEGIN
  IF NOT node_is_open(p_node) THEN RETURN; END IF;
  UPDATE native_submission SET node = p_node WHERE batch = p_batch AND node IS NULL;
  FOREACH wanted IN ARRAY ARRAY['queued', 'running'] LOOP
    EXIT WHEN room <= 0;
    RETURN QUERY
      WITH picked AS (
        SELECT item.number FROM batch_item AS item
        WHERE item.batch = p_batch AND item.state = wanted AND item.due_at <= p_now
          AND item.state IN ('queued', 'running')
          AND (item.submission IS NULL OR EXISTS (
            SELECT FROM native_submission AS sent WHERE sent.id = item.submission AND sent.node = p_node))
        ORDER BY item.deaths, item.number LIMIT room FOR UPDATE OF item SKIP LOCKED
      ), changed AS (
        UPDATE batch_item AS item SET
          state = 'running', attempt = item.attempt + 1, due_at = p_lease_until, node = p_node,
          deaths = item.deaths + (wanted = 'running' AND item.submission IS NULL)::integer
        FROM picked WHERE item.batch = p_batch AND item.number = picked.number
        RETURNING item.number, item.custom_id, item.request_id, item.attempt, item.failures, item.deaths,
          item.submission
      )
      SELECT changed.*, request.params FROM changed
      LEFT JOIN batch_request AS request ON request.batch = p_batch AND request.number = changed.number
      ORDER BY changed.deaths, changed.number;
    GET DIAGNOSTICS taken = ROW_COUNT;
    room := room - taken;
  END LOOP;
END
$$;

-- Writes the result of an attempt in place of the request. The caller writes the charge. Returns false if a
-- later attempt has replaced this one.
CREATE OR REPLACE FUNCTION finish_item(job jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  place jsonb := job -> 'lease';
  p_batch bigint := (place ->> 'batch')::bigint;
  p_number integer := (place ->> 'number')::integer;
  result_line text := job ->> 'line';
  change bigint;
  owner record;
BEGIN
  SELECT account_id, expires_at INTO owner FROM batch WHERE sequence = p_batch;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM lock_stored(ARRAY[owner.account_id]);
  PERFORM FROM batch_item
    WHERE batch = p_batch AND number = p_number
      AND attempt = (place ->> 'attempt')::integer AND state = 'running'
    FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM batch_request WHERE batch = p_batch AND number = p_number
    RETURNING octet_length(params) INTO change;
  change := coalesce(octet_length(result_line), 0) - coalesce(change, 0);
  IF result_line IS NOT NULL THEN
    INSERT INTO batch_result (batch, number, line) VALUES (p_batch, p_number, result_line);
  END IF;
  UPDATE batch_item SET state = job ->> 'result', delta = delta + change
    WHERE batch = p_batch AND number = p_number;
  IF change <> 0 THEN
    PERFORM add_stored(owner.account_id, second_of(owner.expires_at), change);
  END IF;
  RETURN true;
END
$$;

-- Ends items without a lease. `p_unsent` spares items at a provider, where the cancel is requested first.
CREATE OR REPLACE FUNCTION end_queued(p_batch bigint, p_result text, p_unsent boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  change bigint;
  owner record;
BEGIN
  SELECT account_id, expires_at INTO owner FROM batch WHERE sequence = p_batch;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM lock_stored(ARRAY[owner.account_id]);
  WITH picked AS (
    SELECT number FROM batch_item
    WHERE batch = p_batch AND state = 'queued' AND NOT (p_unsent AND submission IS NOT NULL)
    ORDER BY number FOR UPDATE
  ), dropped AS (
    DELETE FROM batch_request AS request USING picked
    WHERE request.batch = p_batch AND request.number = picked.number
    RETURNING request.number, octet_length(request.params) AS bytes
  ), ended AS (
    UPDATE batch_item AS item SET state = p_result, delta = item.delta - coalesce(dropped.bytes, 0)
    FROM picked LEFT JOIN dropped ON dropped.number = picked.number
    WHERE item.batch = p_batch AND item.number = picked.number
    RETURNING coalesce(dropped.bytes, 0) AS bytes
  )
  SELECT -sum(bytes) INTO change FROM ended;
  IF change <> 0 THEN
    PERFORM add_stored(owner.account_id, second_of(owner.expires_at), change);
  END IF;
END
$$;
