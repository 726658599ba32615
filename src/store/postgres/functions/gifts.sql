-- Appends an entry to the chain of an account. Its text comes in two pieces around its sequence number.
CREATE OR REPLACE FUNCTION append_entry(p_node text, p_id text, p_account text, p_at bigint,
  p_before text, p_behind text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  head account_head;
  line text;
BEGIN
  SELECT h.* INTO head FROM account_head h WHERE h.account_id = p_account FOR UPDATE;
  line := p_before || head.sequence + 1 || p_behind;
  head.hash := encode(sha256(convert_to(head.hash || p_id || line, 'UTF8')), 'hex');
  head.number := nextval('entry_number');
  INSERT INTO entry (number, id, account_id, sequence, at, node, text, hash)
    VALUES (head.number, p_id, p_account, head.sequence + 1, p_at, p_node, line, head.hash);
  UPDATE account_head h SET sequence = head.sequence + 1, number = head.number, hash = head.hash
    WHERE h.account_id = p_account;
END
$$;

-- Gives or takes credit with an entry. An entry that takes more purchased credit than is left is refused,
-- unless it may become a debt. An entry that gives is always accepted, since it pays a debt first.
CREATE OR REPLACE FUNCTION give_entry(p_node text, p_id text, p_account text, p_at bigint, p_period text,
  p_amount bigint, p_before text, p_behind text, p_largest_limit bigint, p_may_owe boolean)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  most_safe constant bigint := 9007199254740991;
  balance bucket;
  given bigint;
BEGIN
  PERFORM lock_heads(ARRAY[p_account]);
  SELECT b.* INTO balance FROM bucket b WHERE b.account_id = p_account AND b.period = p_period;
  IF EXISTS (SELECT 1 FROM entry e WHERE e.id = p_id) THEN
    RETURN json_build_array('exists', coalesce(balance.granted, 0), coalesce(balance.used, 0))::text;
  END IF;
  given := coalesce(balance.granted, 0) + p_amount;
  IF abs(given) > most_safe
    OR (p_period = 'purchased' AND p_amount <= 0 AND NOT p_may_owe
      AND given < coalesce(balance.used, 0) + coalesce(balance.held, 0))
    OR (p_period <> 'purchased' AND given + p_largest_limit > most_safe)
  THEN
    RETURN '["refused",0,0]';
  END IF;
  PERFORM append_entry(p_node, p_id, p_account, p_at, p_before, p_behind);
  INSERT INTO bucket AS b (account_id, period, granted) VALUES (p_account, p_period, p_amount)
    ON CONFLICT (account_id, period) DO UPDATE SET granted = b.granted + EXCLUDED.granted;
  RETURN json_build_array('given', given, coalesce(balance.used, 0))::text;
END
$$;

-- The form that nodes of earlier versions call.
CREATE OR REPLACE FUNCTION give_entry(p_node text, p_id text, p_account text, p_at bigint, p_period text,
  p_amount bigint, p_before text, p_behind text, p_largest_limit bigint)
RETURNS text LANGUAGE sql AS $$
  SELECT give_entry(p_node, p_id, p_account, p_at, p_period, p_amount,
    p_before, p_behind, p_largest_limit, false)
$$;

-- Opens the balance of a cycle, with a renewal if an earlier cycle exists.
CREATE OR REPLACE FUNCTION open_period(p_node text, p_id text, p_account text, p_at bigint, p_period text,
  p_has_end boolean, p_before text, p_behind text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_renewal boolean;
BEGIN
  IF EXISTS (SELECT 1 FROM bucket b WHERE b.account_id = p_account AND b.period = p_period)
    THEN RETURN; END IF;
  PERFORM lock_heads(ARRAY[p_account]);
  is_renewal := p_has_end
    AND EXISTS (SELECT 1 FROM bucket b WHERE b.account_id = p_account AND b.period LIKE 'cycle-%')
    AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = p_id);
  INSERT INTO bucket (account_id, period) VALUES (p_account, p_period) ON CONFLICT DO NOTHING;
  IF FOUND AND is_renewal THEN
    PERFORM append_entry(p_node, p_id, p_account, p_at, p_before, p_behind);
  END IF;
END
$$;
