import { text, texts } from '../../row-columns.ts';
import type { PostgresRow } from '../database.ts';

/** A list of a turn, in the row of the turn or in its parts. A part is a JSON list with at least one item. */
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
  const parts = texts(row, column);
  const [onlyPart = ''] = parts;
  return parts.length === 1 ? onlyPart : `[${parts.map((part) => part.slice(1, -1)).join(',')}]`;
}
