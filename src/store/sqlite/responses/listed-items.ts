import type {
  ListedRange,
  ListedSection,
  ResponseLookup,
} from '../../../inference/responses/response-store.ts';
import { flag, foundText, nullableNumber, number, text } from '../../row-columns.ts';
import { turnSections } from '../../turn-sections.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { FROM_OWN_TURN } from './own-response.ts';

const selectOwnItemsSql = `SELECT items - output_items AS items ${FROM_OWN_TURN}`;

/** Counts the items in a listing of the response. The result is `null` until they are counted. */
export function countOwnItems(
  connection: SqliteConnection,
  wanted: ResponseLookup,
): number | null | undefined {
  const row = connection.first(selectOwnItemsSql, { ...wanted });
  return row && nullableNumber(row, 'items');
}

const selectPlacesSql = `
  WITH RECURSIVE line (id, previous_id, first, items, is_last) AS (
    SELECT turn.id, previous_id, items - output_items - input_items, input_items, 1 ${FROM_OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id, turn.items - turn.output_items - turn.input_items,
      turn.input_items + turn.output_items, 0
    FROM turn JOIN line ON turn.id = line.previous_id WHERE line.first > $from
  )
  SELECT line.id, model, first, is_last, input_items, output_items,
    octet_length(input) AS input_bytes, octet_length(output) AS output_bytes
  FROM line JOIN turn ON turn.id = line.id
  WHERE first < $to AND first + line.items > $from ORDER BY first`;

/** Returns the locations of a range of items, in the order of the listing. */
export const selectSections = (
  connection: SqliteConnection,
  wanted: ResponseLookup,
  range: ListedRange,
): ListedSection[] =>
  connection
    .all(selectPlacesSql, { ...wanted, ...range })
    .flatMap((row) => sectionsOf(connection, row))
    .filter(({ first, items }) => first < range.to && first + items > range.from);

const selectPartSizesSql = `
  SELECT part, is_output, items, octet_length(text) AS bytes FROM turn_part WHERE turn_id = $id ORDER BY part`;

function sectionsOf(connection: SqliteConnection, row: Row): ListedSection[] {
  const turnId = text(row, 'id');
  const inside = {
    input: { items: number(row, 'input_items'), bytes: number(row, 'input_bytes') },
    output: { items: number(row, 'output_items'), bytes: number(row, 'output_bytes') },
  };
  const isWhole = inside.input.bytes > 0 && inside.output.bytes > 0;
  const parts = isWhole ? [] : connection.all(selectPartSizesSql, { id: turnId });
  return turnSections({
    turnId,
    model: text(row, 'model'),
    first: number(row, 'first'),
    isLast: flag(row, 'is_last'),
    inside,
    parts: parts.map((part) => ({
      part: number(part, 'part'),
      isOutput: flag(part, 'is_output'),
      items: number(part, 'items'),
      bytes: number(part, 'bytes'),
    })),
  });
}

const selectPartSql = 'SELECT text FROM turn_part WHERE turn_id = $turnId AND part = $part';
const selectInsideInputSql = 'SELECT input AS text FROM turn WHERE id = $turnId';
const selectInsideOutputSql = 'SELECT output AS text FROM turn WHERE id = $turnId';

/** Returns the list of a section, or undefined if it was removed. */
export function selectSection(
  connection: SqliteConnection,
  { turnId, part, isOutput }: ListedSection,
): string | undefined {
  const row =
    part === null
      ? connection.first(isOutput ? selectInsideOutputSql : selectInsideInputSql, { turnId })
      : connection.first(selectPartSql, { turnId, part });
  return foundText(row, 'text');
}
