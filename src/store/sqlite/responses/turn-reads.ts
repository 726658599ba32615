import type { ConversationSize, ResponseLookup } from '../../../inference/responses/response-store.ts';
import type { StoredTurn } from '../../../money/ledger/stored-response.ts';
import { number, text } from '../../row-columns.ts';
import { joinTurnParts } from '../../turn-lists.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { FROM_OWN_TURN } from './own-response.ts';

const selectOwnSizeSql = `SELECT turns, bytes ${FROM_OWN_TURN}`;

/** Returns the size of the conversation up to the key's response, or undefined. */
export function selectSize(
  connection: SqliteConnection,
  wanted: ResponseLookup,
): ConversationSize | undefined {
  const row = connection.first(selectOwnSizeSql, { ...wanted });
  return row && { turns: number(row, 'turns'), bytes: number(row, 'bytes') };
}

const selectLineSql = `
  WITH RECURSIVE line (id, previous_id, model, input, output, turns) AS (
    SELECT turn.id, previous_id, model, input, output, turns ${FROM_OWN_TURN}
    UNION ALL
    SELECT turn.id, turn.previous_id, turn.model, turn.input, turn.output, turn.turns
    FROM turn JOIN line ON turn.id = line.previous_id
  )
  SELECT id, model, input, output FROM line ORDER BY turns`;

/** Returns the turns up to and including the key's response, oldest first. */
export const selectTurns = (connection: SqliteConnection, wanted: ResponseLookup): StoredTurn[] =>
  connection.all(selectLineSql, { ...wanted }).map((row) => turnOf(connection, row));

const turnOf = (connection: SqliteConnection, row: Row): StoredTurn => ({
  model: text(row, 'model'),
  input: listOf(connection, row, 'input'),
  output: listOf(connection, row, 'output'),
});

const selectPartsSql = `
  SELECT text FROM turn_part WHERE turn_id = $id AND is_output = $isOutput ORDER BY part`;

/** Reads a list from the turn's row, or from its parts. */
function listOf(connection: SqliteConnection, row: Row, list: 'input' | 'output'): string {
  const inside = text(row, list);
  if (inside !== '') return inside;
  const isOutput = list === 'output' ? 1 : 0;
  const parts = connection
    .all(selectPartsSql, { id: text(row, 'id'), isOutput })
    .map((part) => text(part, 'text'));
  return joinTurnParts(parts);
}

const selectOwnOutputSql = `SELECT turn.id, model, output ${FROM_OWN_TURN}`;

/** Returns the output of a response in the form that models receive, or undefined. */
export function selectOutput(
  connection: SqliteConnection,
  wanted: ResponseLookup,
): Pick<StoredTurn, 'model' | 'output'> | undefined {
  const row = connection.first(selectOwnOutputSql, { ...wanted });
  return row && { model: text(row, 'model'), output: listOf(connection, row, 'output') };
}
