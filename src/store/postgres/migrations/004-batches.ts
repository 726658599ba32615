import type { PostgresMigration } from '../migration.ts';

/** Keeps a node from being closed until the end of the transaction, so that nothing is claimed for it after its work was released. */
const nodeIsOpen = `
    CREATE FUNCTION node_is_open(p_node text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
      RETURN FOUND;
    END
    $$`;

/**
 * Claims due items of a batch. An item at a provider is claimed only by the node that has its submission, or that takes over a submission
 * without a node. An item whose lease ended was in progress at the end of its node; an item at a provider was not.
 */
const claimItems = `
    CREATE FUNCTION claim_items(p_node text, p_batch bigint, p_most integer, p_now bigint, p_lease_until bigint)
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
            WHERE item.batch = p_batch AND item.state = wanted AND item.due_at <= p_now AND item.state IN ('queued', 'running')
              AND (item.submission IS NULL OR EXISTS (
                SELECT FROM native_submission AS sent WHERE sent.id = item.submission AND sent.node = p_node))
            ORDER BY item.deaths, item.number LIMIT room FOR UPDATE OF item SKIP LOCKED
          ), changed AS (
            UPDATE batch_item AS item SET
              state = 'running', attempt = item.attempt + 1, due_at = p_lease_until, node = p_node,
              deaths = item.deaths + (wanted = 'running' AND item.submission IS NULL)::integer
            FROM picked WHERE item.batch = p_batch AND item.number = picked.number
            RETURNING item.number, item.custom_id, item.request_id, item.attempt, item.failures, item.deaths, item.submission
          )
          SELECT changed.*, request.params FROM changed
          LEFT JOIN batch_request AS request ON request.batch = p_batch AND request.number = changed.number
          ORDER BY changed.deaths, changed.number;
        GET DIAGNOSTICS taken = ROW_COUNT;
        room := room - taken;
      END LOOP;
    END
    $$`;

/** Writes the result of an attempt in place of the request. False: a later attempt has replaced it. The caller writes the charge. */
const finishItem = `
    CREATE FUNCTION finish_item(job jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
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
        WHERE batch = p_batch AND number = p_number AND attempt = (place ->> 'attempt')::integer AND state = 'running'
        FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      DELETE FROM batch_request WHERE batch = p_batch AND number = p_number RETURNING octet_length(params) INTO change;
      change := coalesce(octet_length(result_line), 0) - coalesce(change, 0);
      IF result_line IS NOT NULL THEN
        INSERT INTO batch_result (batch, number, line) VALUES (p_batch, p_number, result_line);
      END IF;
      UPDATE batch_item SET state = job ->> 'result', delta = delta + change WHERE batch = p_batch AND number = p_number;
      IF change <> 0 THEN
        PERFORM add_stored(owner.account_id, second_of(owner.expires_at), change);
      END IF;
      RETURN true;
    END
    $$`;

/** Ends items without a lease. `p_unsent` spares items at a provider, where the cancel is requested first. */
const endQueued = `
    CREATE FUNCTION end_queued(p_batch bigint, p_result text, p_unsent boolean) RETURNS void LANGUAGE plpgsql AS $$
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
    $$`;

/** Removes a staged or an ended batch as a whole. */
const removeBatch = `
    CREATE FUNCTION remove_batch(p_batch bigint, p_staged boolean) RETURNS boolean LANGUAGE plpgsql AS $$
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
    $$`;

/** Removes up to `p_most` rows of one expired batch, items first. Null: no batch is left that no other node sweeps. */
const sweepBatch = `
    CREATE FUNCTION sweep_batch(p_now bigint, p_most integer) RETURNS integer LANGUAGE plpgsql AS $$
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
    $$`;

/**
 * Returns everything that a node works on: its items are due at once, its submissions can be taken over, its unfinished creations are
 * forgotten. Its staged batches are removed by the next sweep.
 */
const releaseItems = `
    CREATE FUNCTION release_items(p_node text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      touched bigint[];
    BEGIN
      UPDATE native_submission SET node = NULL WHERE node = p_node;
      WITH held AS (
        SELECT batch, number FROM batch_item WHERE node = p_node AND state = 'running' ORDER BY batch, number FOR UPDATE
      ), released AS (
        UPDATE batch_item AS item SET due_at = 0, node = NULL
        FROM held WHERE item.batch = held.batch AND item.number = held.number RETURNING item.batch
      )
      SELECT array_agg(DISTINCT batch) INTO touched FROM released;
      PERFORM announce('batch', id) FROM batch WHERE sequence = ANY (touched);
      DELETE FROM idempotency_key WHERE node = p_node AND answer IS NULL;
      UPDATE batch SET node = NULL WHERE staged AND node = p_node;
    END
    $$`;

/** Releases the work of nodes that are closed or unknown. */
const recoverBatches = `
    CREATE FUNCTION recover_batches() RETURNS void LANGUAGE plpgsql AS $$
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
    $$`;

/**
 * `due_at` is the earliest time of an item's next attempt, or the end of the lease while it runs. `delta` is the change of the item's
 * stored bytes since its creation, so that an attempt changes no row that other items share. `node` names the node that works on an item,
 * a staged batch, a submission or a creation under an idempotency key.
 *
 * Every function locks in this order: the batch, the account's sum of stored bytes (`lock_stored`), the items.
 *
 * The tables are not partitioned by day. The lifetime of a batch is configurable, its bytes are subtracted from its account's sum, and
 * clients delete batches, so every batch is visited once anyway. Dropping a partition would also lock out all settlements for a moment.
 */
export const batches: PostgresMigration = {
  number: 4,
  name: 'batches',
  sql: `
    CREATE TABLE batch (
      sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      collection text NOT NULL,
      account_id text NOT NULL,
      key_id text NOT NULL,
      mode text NOT NULL,
      native boolean NOT NULL,
      host text NOT NULL,
      size integer NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      deadline_at bigint NOT NULL,
      cancel_initiated_at bigint,
      ended_at bigint,
      counts text,
      staged boolean NOT NULL,
      emptied boolean NOT NULL DEFAULT false,
      stored bigint NOT NULL,
      node text
    )
    --;
    CREATE INDEX batch_by_key ON batch (key_id, collection, sequence)
    --;
    CREATE INDEX batch_running ON batch (sequence) WHERE ended_at IS NULL AND NOT emptied
    --;
    CREATE INDEX batch_staged ON batch (sequence) WHERE staged
    --;
    CREATE INDEX batch_by_expiry ON batch (emptied, expires_at)
    --;
    CREATE TABLE batch_item (
      batch bigint NOT NULL,
      number integer NOT NULL,
      custom_id text NOT NULL,
      request_id text NOT NULL,
      state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'running', 'succeeded', 'errored', 'canceled', 'expired')),
      attempt integer NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      deaths integer NOT NULL DEFAULT 0,
      due_at bigint NOT NULL DEFAULT 0,
      submission bigint,
      delta bigint NOT NULL DEFAULT 0,
      node text,
      PRIMARY KEY (batch, number)
    )
    --;
    CREATE INDEX batch_item_due ON batch_item (batch, state, deaths, number) WHERE state IN ('queued', 'running')
    --;
    CREATE INDEX batch_item_by_node ON batch_item (node) WHERE state = 'running'
    --;
    CREATE TABLE batch_request (
      batch bigint NOT NULL,
      number integer NOT NULL,
      params text NOT NULL,
      PRIMARY KEY (batch, number)
    )
    --;
    CREATE TABLE batch_result (
      batch bigint NOT NULL,
      number integer NOT NULL,
      line text NOT NULL,
      PRIMARY KEY (batch, number)
    )
    --;
    CREATE TABLE native_submission (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      batch bigint NOT NULL,
      provider text NOT NULL,
      wire text NOT NULL,
      upstream_model text NOT NULL,
      upstream_id text,
      node text
    )
    --;
    CREATE INDEX native_submission_by_batch ON native_submission (batch)
    --;
    CREATE TABLE idempotency_key (
      account_id text NOT NULL,
      collection text NOT NULL,
      key text NOT NULL,
      token text NOT NULL,
      body_hash text NOT NULL,
      lease_until bigint NOT NULL,
      expires_at bigint NOT NULL,
      answer text,
      node text,
      PRIMARY KEY (account_id, collection, key)
    )
    --;
    CREATE INDEX idempotency_key_by_expiry ON idempotency_key (expires_at)
    --;
    CREATE INDEX idempotency_key_by_node ON idempotency_key (node) WHERE answer IS NULL
    --;
    ${nodeIsOpen}
    --;
    ${claimItems}
    --;
    ${finishItem}
    --;
    ${endQueued}
    --;
    ${removeBatch}
    --;
    ${sweepBatch}
    --;
    ${releaseItems}
    --;
    ${recoverBatches}
  `,
};
