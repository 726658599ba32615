import type {
  ConversationSize,
  ListedRange,
  ListedSection,
  ResponseLookup,
} from '../../../inference/responses/response-store.ts';
import type { StoredTurn } from '../../../money/ledger/stored-response.ts';
import { flag, foundText, json, number, text } from '../../row-columns.ts';
import { turnSections } from '../../turn-sections.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';
import { FROM_OWN_TURN, ownValues } from './response-reads.ts';
import { readTurnList, turnListColumns } from './turn-list.ts';

/** Reads the size of the conversation up to the key's response, or undefined. */
export async function readSize(
  queries: Queries,
  wanted: ResponseLookup,
): Promise<ConversationSize | undefined> {
  const row = await queries.first(`SELECT turns, bytes ${FROM_OWN_TURN}`, ownValues(wanted));
  return row && { turns: number(row, 'turns'), bytes: number(row, 'bytes') };
}

/** The walk has only ids, so that the texts of long conversations are read once. */
const selectLineSql = `
  WITH RECURSIVE line (id, previous_id) AS (
    SELECT turn.id, previous_id ${FROM_OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
  )
  SELECT model, ${turnListColumns('input')}, ${turnListColumns('output')}
  FROM line JOIN turn ON turn.id = line.id ORDER BY turns`;

/** Reads the turns up to and including the key's response, oldest first. */
export const readTurns = async (queries: Queries, wanted: ResponseLookup): Promise<StoredTurn[]> =>
  (await queries.all(selectLineSql, ownValues(wanted))).map((row) => ({
    model: text(row, 'model'),
    input: readTurnList(row, 'input'),
    output: readTurnList(row, 'output'),
  }));

/** Reads the number of items in a listing of the response. */
export async function readListedCount(queries: Queries, wanted: ResponseLookup): Promise<number | undefined> {
  const row = await queries.first(`SELECT items - output_items AS items ${FROM_OWN_TURN}`, ownValues(wanted));
  return row && number(row, 'items');
}

const selectPlacesSql = `
  WITH RECURSIVE line (id, previous_id, first, items, is_last) AS (
    SELECT turn.id, previous_id, items - output_items - input_items, input_items, true ${FROM_OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id, turn.items - turn.output_items - turn.input_items,
      turn.input_items + turn.output_items, false
    FROM turn JOIN line ON turn.id = line.previous_id WHERE line.first > $4::bigint
  )
  SELECT turn.id, model, first, is_last, input_items, output_items,
    octet_length(input) AS input_bytes, octet_length(output) AS output_bytes,
    coalesce((
      SELECT json_agg(json_build_object(
        'part', part, 'isOutput', is_output, 'items', turn_part.items, 'bytes', octet_length(text)) ORDER BY part)
      FROM turn_part WHERE turn_id = turn.id), '[]')::text AS parts
  FROM line JOIN turn ON turn.id = line.id
  WHERE first < $5::bigint AND first + line.items > $4::bigint ORDER BY first`;

/** Reads the locations of a range of items, in the order of the listing. */
export async function readSections(
  queries: Queries,
  wanted: ResponseLookup,
  { from, to }: ListedRange,
): Promise<ListedSection[]> {
  const rows = await queries.all(selectPlacesSql, [...ownValues(wanted), from, to]);
  return rows.flatMap(sectionsOf).filter(({ first, items }) => first < to && first + items > from);
}

const sectionsOf = (row: PostgresRow): ListedSection[] =>
  turnSections({
    turnId: text(row, 'id'),
    model: text(row, 'model'),
    first: number(row, 'first'),
    isLast: flag(row, 'is_last'),
    inside: {
      input: { items: number(row, 'input_items'), bytes: number(row, 'input_bytes') },
      output: { items: number(row, 'output_items'), bytes: number(row, 'output_bytes') },
    },
    parts: json(row, 'parts'),
  });

const selectPartSql = 'SELECT text FROM turn_part WHERE turn_id = $1 AND part = $2::integer';
const selectInsideInputSql = 'SELECT input AS text FROM turn WHERE id = $1';
const selectInsideOutputSql = 'SELECT output AS text FROM turn WHERE id = $1';

/** Returns the list of a section, or undefined if it was removed. */
export async function readSection(
  queries: Queries,
  { turnId, part, isOutput }: ListedSection,
): Promise<string | undefined> {
  const row =
    part === null
      ? await queries.first(isOutput ? selectInsideOutputSql : selectInsideInputSql, [turnId])
      : await queries.first(selectPartSql, [turnId, part]);
  return foundText(row, 'text');
}
