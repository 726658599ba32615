import type { SqliteConnection } from '../sqlite-connection.ts';

const fillItemCountsSql = `
  -- A list that is not valid JSON counts as empty. Reasoning is not listed.
  WITH RECURSIVE line (id, previous_id) AS (
    SELECT id, previous_id FROM turn WHERE id = $id
    UNION ALL
    SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
  ),
  counted (id, turns, input_items, output_items) AS (
    SELECT id, turns,
      coalesce(input_items, CASE WHEN json_valid(input) THEN json_array_length(input) ELSE 0 END),
      coalesce(output_items, CASE WHEN json_valid(output) THEN
        (SELECT COUNT(*) FROM json_each(output) AS item
          WHERE CASE item.type WHEN 'object' THEN json_extract(item.value, '$.type') END IS NOT 'reasoning')
        ELSE 0 END)
    FROM turn WHERE id IN (SELECT id FROM line)
  ),
  summed AS (
    SELECT id, input_items, output_items, SUM(input_items + output_items) OVER (ORDER BY turns) AS items
    FROM counted
  )
  UPDATE turn SET input_items = summed.input_items, output_items = summed.output_items, items = summed.items
  FROM summed WHERE turn.id = summed.id`;

/** Fills in the item counts of a conversation that an earlier version stored without them. */
export const fillItemCounts = (connection: SqliteConnection, id: string): void =>
  void connection.run(fillItemCountsSql, { id });
