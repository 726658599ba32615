import { text, texts } from '../../row-columns.ts';
import type { PostgresRow } from '../database.ts';

type List = 'input' | 'output';

/** Returns the column with the parts of a turn's list. The list in the turn's row is then empty. */
export const partTexts = (list: List): string => `
  CASE WHEN turn.${list} = '' THEN ARRAY(
    SELECT text FROM turn_part WHERE turn_id = turn.id AND is_output = ${list === 'output'} ORDER BY part
  ) END AS ${list}_parts`;

/** Reads a list from the turn's row, or joins its parts. */
export function listOfTurn(row: PostgresRow, list: List): string {
  const column = `${list}_parts`;
  if (row[column] === null) return text(row, list);
  const parts = texts(row, column);
  const [onlyPart = ''] = parts;
  return parts.length === 1 ? onlyPart : `[${parts.map((part) => part.slice(1, -1)).join(',')}]`;
}
