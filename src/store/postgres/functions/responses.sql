-- Splits a conversation whose earlier turns are gone. A list that Postgres cannot read, for example because
-- of its depth, stays in one part.
CREATE OR REPLACE FUNCTION split_whole(list text, OUT inside text, OUT items bigint, OUT parts jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  inside := list;
  parts := '[]';
  items := json_array_length(list::json);
  IF length(list) <= 32768 THEN RETURN; END IF;
  inside := '';
  SELECT jsonb_agg(jsonb_build_object('isOutput', false, 'items', piece.items, 'text', piece.text)
    ORDER BY piece.number)
    INTO parts FROM (
      SELECT number, count(*) AS items, '[' || string_agg(one::text, ',' ORDER BY place) || ']' AS text FROM (
        SELECT one, place, sum(length(one::text)) OVER (ORDER BY place) / 65536 AS number
        FROM json_array_elements(list::json) WITH ORDINALITY AS listed (one, place)
      ) AS numbered GROUP BY number
    ) AS piece;
EXCEPTION WHEN data_exception OR statement_too_complex THEN
  items := 0;
  IF length(list) <= 32768 THEN RETURN; END IF;
  inside := '';
  parts := jsonb_build_array(jsonb_build_object('isOutput', false, 'items', 0, 'text', list));
END
$$;

-- Keeps the turns that a new turn continues. No turn outlives the turns before it, so the walk ends at the
-- first turn with a sufficient lifetime.
CREATE OR REPLACE FUNCTION keep_line(newest text, needed_until bigint, later_until bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved record;
BEGIN
  FOR moved IN
    WITH RECURSIVE line (id, previous_id) AS (
      SELECT id, previous_id FROM turn WHERE id = newest AND kept_until < needed_until
      UNION ALL
      SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
      WHERE turn.kept_until < later_until
    ), old AS (
      SELECT turn.id, turn.kept_until FROM turn JOIN line ON turn.id = line.id
    ), kept AS (
      UPDATE turn SET kept_until = later_until FROM old WHERE turn.id = old.id
      RETURNING turn.account_id, turn.stored, old.kept_until
    )
    SELECT account_id, array_agg(second_of(kept_until)) || array_agg(second_of(later_until)) AS seconds,
      array_agg(-stored) || array_agg(stored) AS changes
    FROM kept WHERE stored IS NOT NULL AND account_id IS NOT NULL GROUP BY account_id ORDER BY account_id
  LOOP
    PERFORM change_stored(moved.account_id, moved.seconds, moved.changes);
  END LOOP;
END
$$;

-- Adds a response to the conversation that its request names. Nothing happens if the request no longer holds
-- it.
CREATE OR REPLACE FUNCTION add_to_conversation(addition jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversation_part (conversation_id, part, model, input, output, shown_input, shown_output)
    SELECT id, parts, addition ->> 'model', addition ->> 'input', addition ->> 'output',
      addition ->> 'shownInput', addition ->> 'shownOutput'
    FROM conversation WHERE id = addition ->> 'id' AND holder = addition ->> 'holder'
    ON CONFLICT (conversation_id, part) DO UPDATE SET model = excluded.model, input = excluded.input,
      output = excluded.output, shown_input = excluded.shown_input, shown_output = excluded.shown_output;
  UPDATE conversation SET expires_at = (addition ->> 'expiresAt')::bigint,
    until = (addition ->> 'until')::bigint,
      stored = stored + (addition ->> 'bytes')::bigint, parts = parts + 1
    WHERE id = addition ->> 'id' AND holder = addition ->> 'holder';
END
$$;

-- Inserts a response, its turn and its item ids, adds it to its conversation, and keeps the turns that it
-- continues. `src/store/postgres/responses/response-write.ts` describes the parameter. Returns false if the
-- response exists already.
CREATE OR REPLACE FUNCTION insert_response(owner text, response jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  response_id text := response ->> 'id';
  continued_id text := response ->> 'previousId';
  ends_at bigint := (response ->> 'expiresAt')::bigint;
  ends_by bigint := (response ->> 'until')::bigint;
  sent text := response ->> 'envelope';
  row_bytes bigint := (response ->> 'rowBytes')::bigint;
  given text := response ->> 'input';
  given_parts jsonb := response -> 'parts';
  list_bytes bigint := (response ->> 'outputBytes')::bigint;
  input_count bigint := (response ->> 'inputItems')::bigint;
  output_count bigint := (response ->> 'outputItems')::bigint;
  earlier_id text;
  earlier_turns bigint := 0;
  earlier_bytes bigint := 0;
  earlier_items bigint := 0;
BEGIN
  PERFORM lock_stored(ARRAY[owner]);
  INSERT INTO response (id, key_id, created_at, expires_at, until, envelope, account_id, stored)
    VALUES (response_id, response ->> 'keyId', (response ->> 'createdAt')::bigint, ends_at, ends_by, sent,
      owner, octet_length(sent) + row_bytes)
    ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  IF continued_id IS NOT NULL THEN
    SELECT id, turns, bytes, items INTO earlier_id, earlier_turns, earlier_bytes, earlier_items
      FROM turn WHERE id = continued_id;
  END IF;
  IF continued_id IS NOT NULL AND earlier_id IS NULL THEN
    given := response ->> 'whole';
    list_bytes := list_bytes + octet_length(given);
    SELECT whole.inside, whole.items,
        whole.parts || jsonb_path_query_array(given_parts, '$[*] ? (@.isOutput == true)')
      INTO given, input_count, given_parts FROM split_whole(given) AS whole;
  ELSE
    list_bytes := list_bytes + (response ->> 'inputBytes')::bigint;
  END IF;
  INSERT INTO turn (id, previous_id, model, input, output, turns, bytes, kept_until,
      input_items, output_items, items, account_id, stored)
    VALUES (response_id, earlier_id, response ->> 'model', given, response ->> 'output',
      coalesce(earlier_turns, 0) + 1, coalesce(earlier_bytes, 0) + list_bytes, ends_by,
      input_count, output_count, coalesce(earlier_items, 0) + input_count + output_count,
      owner, list_bytes + row_bytes);
  IF jsonb_array_length(given_parts) > 0 THEN
    INSERT INTO turn_part (turn_id, part, is_output, items, text)
      SELECT response_id, place - 1, (one ->> 'isOutput')::boolean, (one ->> 'items')::bigint, one ->> 'text'
      FROM jsonb_array_elements(given_parts) WITH ORDINALITY AS listed (one, place);
  END IF;
  IF jsonb_array_length(response -> 'itemIds') > 0 THEN
    INSERT INTO response_item (id, response_id)
      SELECT DISTINCT item, response_id FROM jsonb_array_elements_text(response -> 'itemIds') AS item;
  END IF;
  PERFORM add_stored(owner, second_of(ends_by), octet_length(sent) + list_bytes + 2 * row_bytes);
  IF response ? 'addition' THEN PERFORM add_to_conversation(response -> 'addition'); END IF;
  IF earlier_id IS NOT NULL THEN
    PERFORM keep_line(earlier_id, ends_at, (response ->> 'laterUntil')::bigint);
  END IF;
  RETURN true;
END
$$;
