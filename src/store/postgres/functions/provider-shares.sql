-- Returns the slots that a node should have of a provider: those in use, then its part of the free ones, paid
-- requests first.
CREATE OR REPLACE FUNCTION wanted_share(
  total integer, nodes integer, own_use integer, own_paid integer, own_other integer,
  all_use integer, all_paid integer, all_other integer
) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  left_over integer := greatest(0, total - all_use);
  wanted integer := own_use;
  part integer;
BEGIN
  part := CASE WHEN all_paid <= left_over THEN own_paid
    ELSE ceil(left_over::numeric * own_paid / all_paid) END;
  wanted := wanted + part;
  left_over := greatest(0, left_over - all_paid);
  part := CASE
    WHEN all_other <= left_over THEN own_other
    WHEN left_over = 0 THEN 0
    ELSE ceil(left_over::numeric * own_other / all_other) END;
  wanted := wanted + part;
  left_over := greatest(0, left_over - all_other);
  RETURN wanted + left_over / nodes;
END
$$;

-- Divides the slots of providers among the nodes. `states` is `[[provider, limit, in use, waiting paid
-- requests, waiting others, kept], …]`: the node uses no more than `kept` during the call. The answer is
-- `[[provider, granted, wanted, whether paid requests wait elsewhere, whether any wait elsewhere, whether the
-- grants exceed the limit], …]`.
CREATE OR REPLACE FUNCTION sync_shares(own_node text, states jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  state jsonb;
  name text;
  use integer;
  paid integer;
  other integer;
  total record;
  wanted integer;
  given integer;
  answers jsonb := '[]';
BEGIN
  FOR state IN SELECT value FROM jsonb_array_elements(states) ORDER BY value ->> 0 LOOP
    name := state ->> 0;
    use := (state ->> 2)::integer;
    paid := (state ->> 3)::integer;
    other := (state ->> 4)::integer;
    PERFORM pg_advisory_xact_lock(7465823, hashtext(name));
    SELECT
      least(min(slots), (state ->> 1)::integer) AS slots,
      count(*)::integer + 1 AS nodes,
      coalesce(sum(granted), 0)::integer AS granted,
      coalesce(sum(in_use), 0)::integer AS in_use,
      coalesce(sum(waiting_paid), 0)::integer AS paid,
      coalesce(sum(waiting_other), 0)::integer AS other
    INTO total FROM provider_share
    WHERE provider = name AND node <> own_node
      AND EXISTS (SELECT 1 FROM node WHERE node.id = provider_share.node AND node.closed_at IS NULL);
    wanted := wanted_share(
      total.slots, total.nodes, use, paid, other, total.in_use + use, total.paid + paid, total.other + other);
    given := greatest((state ->> 5)::integer, least(wanted, total.slots - total.granted));
    INSERT INTO provider_share (provider, node, slots, granted, in_use, waiting_paid, waiting_other)
    VALUES (name, own_node, (state ->> 1)::integer, given, use, paid, other)
    ON CONFLICT (provider, node) DO UPDATE SET
      slots = excluded.slots, granted = excluded.granted, in_use = excluded.in_use,
      waiting_paid = excluded.waiting_paid, waiting_other = excluded.waiting_other;
    IF given < wanted AND paid + other > 0 THEN
      PERFORM pg_notify('tollgate', 'share:' || name);
    END IF;
    answers := answers || jsonb_build_array(jsonb_build_array(
      name, given, wanted, total.paid > 0, total.paid + total.other > 0,
        total.granted + given > total.slots));
  END LOOP;
  RETURN answers;
END
$$;
