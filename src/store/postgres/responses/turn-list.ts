import { text, texts } from '../../row-columns.ts';
import { joinTurnParts } from '../../turn-lists.ts';
import type { PostgresRow } from '../database.ts';

/** A list of a turn, in the row of the turn or in its parts. */
type TurnList = 'input' | 'output';

/** Returns the columns that `readTurnList` needs. */
export const turnListColumns = (list: TurnList): string => `
  turn.${list}, CASE WHEN turn.${list} = '' THEN ARRAY(
    SELECT text FROM turn_part WHERE turn_id = turn.id AND is_output = ${list === 'output'} ORDER BY part
  ) END AS ${list}_parts`;

/** Reads a list from the turn's row, or joins its parts. */
export function readTurnList(row: PostgresRow, list: TurnList): string {
  const column = `${list}_parts`;
  if (row[column] === null) return text(row, list);
  return joinTurnParts(texts(row, column));
}
