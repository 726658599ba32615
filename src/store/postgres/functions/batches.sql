-- Removes a staged batch (`p_staged`) or an ended one. Returns false if there is none.
CREATE OR REPLACE FUNCTION remove_batch(p_batch bigint, p_staged boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  gone batch;
  changed bigint;
BEGIN
  DELETE FROM batch WHERE sequence = p_batch AND staged = p_staged AND (p_staged OR ended_at IS NOT NULL)
    RETURNING * INTO gone;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM lock_stored(ARRAY[gone.account_id]);
  WITH items AS (DELETE FROM batch_item WHERE batch = p_batch RETURNING delta)
    SELECT coalesce(sum(delta), 0) INTO changed FROM items;
  DELETE FROM batch_request WHERE batch = p_batch;
  DELETE FROM batch_result WHERE batch = p_batch;
  DELETE FROM native_submission WHERE batch = p_batch;
  PERFORM add_stored(gone.account_id, second_of(gone.expires_at), -(gone.stored + changed));
  RETURN true;
END
$$;

-- Removes up to `p_most` rows of one expired batch, items first. Returns null if no expired batch is left, or
-- if other nodes sweep all of them.
CREATE OR REPLACE FUNCTION sweep_batch(p_now bigint, p_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  old batch;
  room integer := p_most;
  removed integer;
  changed bigint;
BEGIN
  SELECT * INTO old FROM batch WHERE NOT emptied AND expires_at <= p_now
    ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM lock_stored(ARRAY[old.account_id]);
  WITH items AS (
    DELETE FROM batch_item WHERE batch = old.sequence AND number IN
      (SELECT number FROM batch_item WHERE batch = old.sequence ORDER BY number LIMIT room)
    RETURNING delta
  ) SELECT count(*), coalesce(sum(delta), 0) INTO removed, changed FROM items;
  room := room - removed;
  DELETE FROM batch_request WHERE batch = old.sequence AND number IN
    (SELECT number FROM batch_request WHERE batch = old.sequence ORDER BY number LIMIT room);
  GET DIAGNOSTICS removed = ROW_COUNT;
  room := room - removed;
  DELETE FROM batch_result WHERE batch = old.sequence AND number IN
    (SELECT number FROM batch_result WHERE batch = old.sequence ORDER BY number LIMIT room);
  GET DIAGNOSTICS removed = ROW_COUNT;
  room := room - removed;
  UPDATE batch SET emptied = room > 0, stored = CASE WHEN room > 0 THEN 0 ELSE old.stored + changed END
    WHERE sequence = old.sequence;
  IF room > 0 THEN
    DELETE FROM native_submission WHERE batch = old.sequence;
    PERFORM add_stored(old.account_id, second_of(old.expires_at), -(old.stored + changed));
  END IF;
  RETURN p_most - room;
END
$$;

-- Gives back everything that a node works on. Its items are due at once. Other nodes can take over its
-- submissions. Its unfinished creations are forgotten. The next sweep removes its staged batches.
CREATE OR REPLACE FUNCTION release_items(p_node text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  touched bigint[];
BEGIN
  UPDATE native_submission SET node = NULL WHERE node = p_node;
  WITH held AS (
    SELECT batch, number FROM batch_item WHERE node = p_node AND state = 'running'
      ORDER BY batch, number FOR UPDATE
  ), released AS (
    UPDATE batch_item AS item SET due_at = 0, node = NULL
    FROM held WHERE item.batch = held.batch AND item.number = held.number RETURNING item.batch
  )
  SELECT array_agg(DISTINCT batch) INTO touched FROM released;
  PERFORM announce('batch', id) FROM batch WHERE sequence = ANY (touched);
  DELETE FROM idempotency_key WHERE node = p_node AND answer IS NULL;
  UPDATE batch SET node = NULL WHERE staged AND node = p_node;
END
$$;

-- Releases the work of nodes that are closed or unknown.
CREATE OR REPLACE FUNCTION recover_batches() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  gone text;
BEGIN
  FOR gone IN
    SELECT DISTINCT busy.node FROM (
      SELECT node FROM batch_item WHERE state = 'running' AND node IS NOT NULL
      UNION SELECT node FROM native_submission WHERE node IS NOT NULL
      UNION SELECT node FROM batch WHERE staged AND node IS NOT NULL
      UNION SELECT node FROM idempotency_key WHERE answer IS NULL AND node IS NOT NULL
    ) AS busy
    WHERE NOT EXISTS (SELECT FROM node WHERE node.id = busy.node AND node.closed_at IS NULL)
    ORDER BY busy.node
  LOOP
    PERFORM release_items(gone);
  END LOOP;
END
$$;
