-- Ends holds and returns their amounts.
CREATE OR REPLACE FUNCTION void_holds(p_ids text[]) RETURNS bigint LANGUAGE plpgsql AS $$
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
    IF gone.budgets IS NOT NULL THEN
      PERFORM move_budgets(gone.account_id, gone.budgets, -gone.microcredits);
    END IF;
  END LOOP;
  RETURN count_of;
END
$$;

-- Writes checkpoints of holds. Only the gate writes a hold with an amount, so that a late checkpoint cannot
-- bring back a hold that has ended.
CREATE OR REPLACE FUNCTION checkpoint_holds(p_node text, p_holds jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE open_hold o SET checkpoint = x.checkpoint, produced = x.produced, seal = DEFAULT,
      away_batch = coalesce(o.away_batch, x.away_batch), away_number = coalesce(o.away_number, x.away_number)
    FROM jsonb_to_recordset(p_holds) AS x (request_id text, checkpoint text, produced boolean,
      away_batch bigint, away_number bigint)
    WHERE o.request_id = x.request_id AND o.node = p_node;
  INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits,
      is_capped, at, checkpoint, produced, away_batch, away_number)
    SELECT x.request_id, p_node, x.account_id, x.key_id, x.pays, x.period, x.month, 0, x.is_capped, x.at,
      x.checkpoint, x.produced, x.away_batch, x.away_number
    FROM jsonb_to_recordset(p_holds) AS x (request_id text, account_id text, key_id text, pays text,
      period text, month text, microcredits bigint, is_capped boolean, at bigint, checkpoint text,
      produced boolean, away_batch bigint, away_number bigint, entry_id text)
    WHERE x.microcredits = 0 AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = x.entry_id)
    ON CONFLICT (request_id) DO NOTHING;
  RETURN true;
END
$$;

-- Takes over the hold of an item at a provider whose node has ended.
CREATE OR REPLACE FUNCTION reclaim_hold(p_node text, p_id text) RETURNS text LANGUAGE sql AS $$
  UPDATE open_hold SET node = p_node WHERE request_id = p_id AND node = '' RETURNING checkpoint
$$;

-- Voids the holds of a batch that no node has taken over.
CREATE OR REPLACE FUNCTION void_unclaimed(p_batch bigint) RETURNS bigint LANGUAGE sql AS $$
  SELECT void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = '' AND o.away_batch = p_batch))
$$;
