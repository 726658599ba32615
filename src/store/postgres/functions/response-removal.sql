-- Deletes a key's response, and its turn if nothing continues it. Returns false if the response does not
-- exist.
CREATE OR REPLACE FUNCTION delete_response(wanted text, of_key text, at bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner text;
  gone record;
BEGIN
  SELECT account_id INTO owner FROM response WHERE id = wanted AND key_id = of_key AND expires_at > at;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM lock_stored(ARRAY[owner]);
  DELETE FROM response WHERE id = wanted RETURNING stored, until INTO gone;
  IF NOT FOUND THEN RETURN false; END IF;
  IF gone.stored IS NOT NULL AND owner IS NOT NULL THEN
    PERFORM add_stored(owner, second_of(gone.until), -gone.stored);
  END IF;
  DELETE FROM response_item WHERE response_id = wanted;
  DELETE FROM turn WHERE id = wanted
    AND NOT EXISTS (SELECT FROM turn AS later WHERE later.previous_id = wanted)
    RETURNING account_id, stored, kept_until INTO gone;
  IF NOT FOUND THEN RETURN true; END IF;
  DELETE FROM turn_part WHERE turn_id = wanted;
  IF gone.stored IS NOT NULL AND gone.account_id IS NOT NULL THEN
    PERFORM add_stored(gone.account_id, second_of(gone.kept_until), -gone.stored);
  END IF;
  RETURN true;
END
$$;

-- Deletes up to `most` expired responses and turns each. One node sweeps at a time, and the others get 0.
-- Accounts that another transaction has locked wait for the next sweep, so that no sweep and no settlement of
-- several accounts wait for each other.
CREATE OR REPLACE FUNCTION sweep_responses(at bigint, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  old_responses text[];
  old_turns text[];
  owners text[];
  removed integer := 0;
  gone record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7465823645) THEN RETURN 0; END IF;
  old_responses := ARRAY(SELECT id FROM response WHERE expires_at <= at ORDER BY expires_at LIMIT most);
  old_turns := ARRAY(SELECT id FROM turn WHERE kept_until <= at ORDER BY kept_until LIMIT most);
  owners := ARRAY(
    SELECT account_id FROM account_storage WHERE until = 0 AND account_id IN (
      SELECT account_id FROM response WHERE id = ANY (old_responses)
      UNION SELECT account_id FROM turn WHERE id = ANY (old_turns))
    FOR UPDATE SKIP LOCKED);
  FOR gone IN
    WITH responses AS (
      DELETE FROM response WHERE id = ANY (old_responses) AND (stored IS NULL OR account_id = ANY (owners))
      RETURNING id, account_id, stored, until
    ), items AS (
      DELETE FROM response_item USING responses WHERE response_item.response_id = responses.id
    ), turns AS (
      DELETE FROM turn WHERE id = ANY (old_turns) AND kept_until <= at
        AND (stored IS NULL OR account_id = ANY (owners))
      RETURNING id, account_id, stored, kept_until
    ), parts AS (
      DELETE FROM turn_part USING turns WHERE turn_part.turn_id = turns.id
    ), rows AS (
      SELECT account_id, stored, until FROM responses
      UNION ALL SELECT account_id, stored, kept_until FROM turns
    )
    SELECT account_id, array_agg(second_of(until)) AS seconds, array_agg(-coalesce(stored, 0)) AS changes,
      count(*)::integer AS rows FROM rows GROUP BY account_id ORDER BY account_id
  LOOP
    removed := removed + gone.rows;
    IF gone.account_id IS NOT NULL THEN
      PERFORM change_stored(gone.account_id, gone.seconds, gone.changes);
    END IF;
  END LOOP;
  RETURN removed;
END
$$;
