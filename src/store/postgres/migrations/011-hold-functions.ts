/**
 * Holds: their checkpoints, their end with their node, and the holds of items at providers, which any node can reclaim. Only the gate
 * writes a hold with an amount, so that a late checkpoint cannot bring back a hold that has ended.
 */
export const holdFunctions = `
    CREATE FUNCTION void_holds(p_ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      gone record;
      count_of bigint := 0;
    BEGIN
      PERFORM lock_heads(ARRAY(SELECT DISTINCT o.account_id FROM open_hold o WHERE o.request_id = ANY (p_ids)));
      FOR gone IN DELETE FROM open_hold o WHERE o.request_id = ANY (p_ids) RETURNING o.* LOOP
        count_of := count_of + 1;
        CONTINUE WHEN gone.microcredits = 0;
        IF gone.pays = 'purchased' THEN
          UPDATE bucket b SET held = b.held - gone.microcredits
            WHERE b.account_id = gone.account_id AND b.period = gone.period;
        END IF;
        IF gone.is_capped THEN
          UPDATE key_month m SET held = m.held - gone.microcredits
            WHERE m.key_id = gone.key_id AND m.month = gone.month;
        END IF;
      END LOOP;
      RETURN count_of;
    END
    $$
    --;
    CREATE FUNCTION checkpoint_holds(p_node text, p_holds jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
      IF NOT FOUND THEN RETURN false; END IF;
      UPDATE open_hold o SET checkpoint = x.checkpoint, produced = x.produced, seal = DEFAULT,
          away_batch = coalesce(o.away_batch, x.away_batch), away_number = coalesce(o.away_number, x.away_number)
        FROM jsonb_to_recordset(p_holds) AS x (request_id text, checkpoint text, produced boolean,
          away_batch bigint, away_number bigint)
        WHERE o.request_id = x.request_id AND o.node = p_node;
      INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits, is_capped, at,
          checkpoint, produced, away_batch, away_number)
        SELECT x.request_id, p_node, x.account_id, x.key_id, x.pays, x.period, x.month, 0, x.is_capped, x.at,
          x.checkpoint, x.produced, x.away_batch, x.away_number
        FROM jsonb_to_recordset(p_holds) AS x (request_id text, account_id text, key_id text, pays text,
          period text, month text, microcredits bigint, is_capped boolean, at bigint, checkpoint text,
          produced boolean, away_batch bigint, away_number bigint, entry_id text)
        WHERE x.microcredits = 0 AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = x.entry_id)
        ON CONFLICT (request_id) DO NOTHING;
      RETURN true;
    END
    $$
    --;
    CREATE FUNCTION reclaim_hold(p_node text, p_id text) RETURNS text LANGUAGE sql AS $$
      UPDATE open_hold SET node = p_node WHERE request_id = p_id AND node = '' RETURNING checkpoint
    $$
    --;
    CREATE FUNCTION void_unclaimed(p_batch bigint) RETURNS bigint LANGUAGE sql AS $$
      SELECT void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = '' AND o.away_batch = p_batch))
    $$
    --;
    CREATE FUNCTION restore_holds(p_node text, p_holds jsonb) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      given record;
    BEGIN
      PERFORM lock_heads(ARRAY(SELECT DISTINCT u.id FROM (
        SELECT o.account_id AS id FROM open_hold o WHERE o.node = p_node
        UNION SELECT x.account_id FROM jsonb_to_recordset(p_holds) AS x (account_id text)) AS u));
      PERFORM void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = p_node AND NOT EXISTS (
        SELECT 1 FROM jsonb_to_recordset(p_holds) AS x (request_id text) WHERE x.request_id = o.request_id)));
      FOR given IN SELECT x.* FROM jsonb_to_recordset(p_holds) AS x (request_id text, account_id text, key_id text,
        pays text, period text, month text, microcredits bigint, is_capped boolean, at bigint, entry_id text)
      LOOP
        CONTINUE WHEN given.microcredits = 0 OR EXISTS (SELECT 1 FROM entry e WHERE e.id = given.entry_id);
        INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits, is_capped, at)
          VALUES (given.request_id, p_node, given.account_id, given.key_id, given.pays, given.period, given.month,
            given.microcredits, given.is_capped, given.at)
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
      END LOOP;
    END
    $$
    --;
    CREATE FUNCTION close_node(p_id text) RETURNS text LANGUAGE plpgsql AS $$
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
    $$`;
