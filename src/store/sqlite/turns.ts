import type {
  ConversationSize,
  ListedRange,
  ListedSection,
} from '../../inference/responses/response-store.ts';
import type { StoredResponse, StoredTurn, Wanted } from '../../money/ledger/stored-response.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { countsOf, insideOf, keptUntil, partsOf, type TurnLists } from '../turn-lists.ts';
import { turnSections } from '../turn-sections.ts';
import type { Row, SqliteConnection } from './connection.ts';
import { addStored, removedRows, removeStored } from './stored-bytes.ts';

/** Inserts a turn, extends the lifetime of the turns that it continues, and returns the stored size. */
export function insertTurn(
  connection: SqliteConnection,
  { accountId, until }: { accountId: string; until: number },
  response: StoredResponse,
): number {
  const { id, previousId, turn } = response;
  const previous = previousId === null ? undefined : selectSizes(connection, previousId);
  // If the previous turn was removed, this turn stores the whole conversation.
  const input = previous ? turn.input : response.wholeInput;
  const counts = countsOf(response, input);
  const bytes = Buffer.byteLength(input) + Buffer.byteLength(turn.output);
  const stored = bytes + STORED_ROW_BYTES;
  connection.run(insert, [
    ...[id, previous ? previousId : null, turn.model],
    ...[insideOf(input), insideOf(turn.output)],
    ...[(previous?.turns ?? 0) + 1, (previous?.bytes ?? 0) + bytes, until],
    ...[counts.input, counts.output, (previous?.items ?? 0) + counts.input + counts.output],
    ...[accountId, stored],
  ]);
  insertParts(connection, response.id, { input, output: turn.output, counts });
  if (previous) keepLine(connection, response);
  return stored;
}

function insertParts(connection: SqliteConnection, turnId: string, lists: TurnLists): void {
  for (const [part, { isOutput, items, text }] of partsOf(lists).entries())
    connection.run(insertPart, { turnId, part, isOutput: isOutput ? 1 : 0, items, text });
}

/** No turn outlives the turns before it, so the walk ends at the first turn with a sufficient lifetime. */
function keepLine(connection: SqliteConnection, response: StoredResponse): void {
  const { previousId, expiresAt } = response;
  const until = keptUntil(response);
  const line = connection.all(selectShortLived, { id: previousId, expiresAt, until });
  for (const { id } of line) connection.run(keep, [until, id!]);
  const moved = removedRows(line);
  removeStored(connection, moved);
  for (const one of moved) addStored(connection, { ...one, until });
}

type Sizes = ConversationSize & { items: number };

/** The size of the conversation up to and including a turn. */
function selectSizes(connection: SqliteConnection, id: string): Sizes | undefined {
  const row = connection.first(selectTurnSizes, { id });
  if (row && row.items === null) {
    indexLine(connection, id);
    return selectSizes(connection, id);
  }
  return row && { turns: Number(row.turns), bytes: Number(row.bytes), items: Number(row.items) };
}

/** Counts the items of a conversation stored by an earlier version. */
export const indexLine = (connection: SqliteConnection, id: string): void =>
  void connection.run(countLine, { id });

/** The size of the conversation up to the key's response, or undefined. */
export function selectSize(connection: SqliteConnection, wanted: Wanted): ConversationSize | undefined {
  const row = connection.first(selectOwnSize, { ...wanted });
  return row && { turns: Number(row.turns), bytes: Number(row.bytes) };
}

/** The turns up to and including the key's response, oldest first. */
export const selectTurns = (connection: SqliteConnection, wanted: Wanted): StoredTurn[] =>
  connection.all(selectLine, { ...wanted }).map((row) => turnOf(connection, row));

const turnOf = (connection: SqliteConnection, row: Row): StoredTurn => ({
  model: row.model as string,
  input: listOf(connection, row, 'input'),
  output: listOf(connection, row, 'output'),
});

/** Reads a list from the turn's row, or from its parts. */
function listOf(connection: SqliteConnection, { id, ...row }: Row, name: 'input' | 'output'): string {
  const inside = row[name] as string;
  if (inside !== '') return inside;
  const parts = connection.all(selectParts, { id: id!, isOutput: name === 'output' ? 1 : 0 });
  if (parts.length === 1) return parts[0]!.text as string;
  return `[${parts.map(({ text }) => (text as string).slice(1, -1)).join(',')}]`;
}

/** Returns the output of a response in the form that models receive, or undefined. */
export function selectOutput(
  connection: SqliteConnection,
  wanted: Wanted,
): Pick<StoredTurn, 'model' | 'output'> | undefined {
  const row = connection.first(selectOwnOutput, { ...wanted });
  return row && { model: row.model as string, output: listOf(connection, row, 'output') };
}

/** The number of items in a listing of the response. It is `null` until they are counted. */
export function countOwnItems(connection: SqliteConnection, wanted: Wanted): number | null | undefined {
  const row = connection.first(selectOwnItems, { ...wanted });
  return row && (row.items as number | null);
}

/** The locations of a range of items, in the order of the listing. */
export const selectSections = (
  connection: SqliteConnection,
  wanted: Wanted,
  range: ListedRange,
): ListedSection[] =>
  connection
    .all(selectPlaces, { ...wanted, ...range })
    .flatMap((row) => sectionsOf(connection, row))
    .filter(({ first, items }) => first < range.to && first + items > range.from);

function sectionsOf(connection: SqliteConnection, place: Row): ListedSection[] {
  const { id, model, first, is_last, ...row } = place;
  const inside = {
    input: { items: Number(row.input_items), bytes: Number(row.input_bytes) },
    output: { items: Number(row.output_items), bytes: Number(row.output_bytes) },
  };
  const isWhole = inside.input.bytes > 0 && inside.output.bytes > 0;
  const parts = isWhole ? [] : connection.all(selectPartSizes, { id: id! });
  return turnSections({
    turnId: String(id),
    model: String(model),
    first: Number(first),
    isLast: is_last !== 0,
    inside,
    parts: parts.map(({ part, is_output, items, bytes }) => ({
      part: Number(part),
      isOutput: is_output === 1,
      items: Number(items),
      bytes: Number(bytes),
    })),
  });
}

/** Returns the list of a section, or undefined if it was removed. */
export function selectSection(
  connection: SqliteConnection,
  { turnId, part, isOutput }: ListedSection,
): string | undefined {
  if (part !== null) return connection.first(selectPart, { turnId, part })?.text as string | undefined;
  return connection.first(isOutput ? selectInsideOutput : selectInsideInput, { turnId })?.text as
    | string
    | undefined;
}

const insert = `
  INSERT INTO turn (id, previous_id, model, input, output, turns, bytes, kept_until,
    input_items, output_items, items, account_id, stored)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const insertPart = `
  INSERT INTO turn_part (turn_id, part, is_output, items, text)
  VALUES ($turnId, $part, $isOutput, $items, $text)`;

const selectTurnSizes = 'SELECT turns, bytes, items FROM turn WHERE id = $id';

const selectShortLived = `
  WITH RECURSIVE line (id, previous_id) AS (
    SELECT id, previous_id FROM turn WHERE id = $id AND kept_until < $expiresAt
    UNION ALL
    SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
    WHERE turn.kept_until < $until
  )
  SELECT turn.id, turn.account_id, turn.stored, turn.kept_until AS until FROM line JOIN turn ON turn.id = line.id`;

const keep = 'UPDATE turn SET kept_until = ? WHERE id = ?';

const countLine = `
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
    SELECT id, input_items, output_items, SUM(input_items + output_items) OVER (ORDER BY turns) AS items FROM counted
  )
  UPDATE turn SET input_items = summed.input_items, output_items = summed.output_items, items = summed.items
  FROM summed WHERE turn.id = summed.id`;

const OWN = 'response.id = $id AND response.key_id = $keyId AND response.expires_at > $now';
const OWN_TURN = `FROM response JOIN turn ON turn.id = response.id WHERE ${OWN}`;

const selectOwnSize = `SELECT turns, bytes ${OWN_TURN}`;
const selectOwnOutput = `SELECT turn.id, model, output ${OWN_TURN}`;
const selectOwnItems = `SELECT items - output_items AS items ${OWN_TURN}`;

const selectLine = `
  WITH RECURSIVE line (id, previous_id, model, input, output, turns) AS (
    SELECT turn.id, previous_id, model, input, output, turns ${OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id, turn.model, turn.input, turn.output, turn.turns
    FROM turn JOIN line ON turn.id = line.previous_id
  )
  SELECT id, model, input, output FROM line ORDER BY turns`;

const selectParts = `
  SELECT text FROM turn_part WHERE turn_id = $id AND is_output = $isOutput ORDER BY part`;

const selectPlaces = `
  WITH RECURSIVE line (id, previous_id, first, items, is_last) AS (
    SELECT turn.id, previous_id, items - output_items - input_items, input_items, 1 ${OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id, turn.items - turn.output_items - turn.input_items,
      turn.input_items + turn.output_items, 0
    FROM turn JOIN line ON turn.id = line.previous_id WHERE line.first > $from
  )
  SELECT line.id, model, first, is_last, input_items, output_items,
    octet_length(input) AS input_bytes, octet_length(output) AS output_bytes
  FROM line JOIN turn ON turn.id = line.id
  WHERE first < $to AND first + line.items > $from ORDER BY first`;

const selectPartSizes = `
  SELECT part, is_output, items, octet_length(text) AS bytes FROM turn_part WHERE turn_id = $id ORDER BY part`;

const selectPart = 'SELECT text FROM turn_part WHERE turn_id = $turnId AND part = $part';
const selectInsideInput = 'SELECT input AS text FROM turn WHERE id = $turnId';
const selectInsideOutput = 'SELECT output AS text FROM turn WHERE id = $turnId';
