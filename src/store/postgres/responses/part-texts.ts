/** Returns the column with the parts of a turn's list. The list in the turn's row is then empty. */
export const partTexts = (list: 'input' | 'output'): string => `
  CASE WHEN turn.${list} = '' THEN ARRAY(
    SELECT text FROM turn_part WHERE turn_id = turn.id AND is_output = ${list === 'output'} ORDER BY part
  ) END`;

/** Returns the list from the turn's row, or joins its parts. */
export function joinParts(inside: string, parts: readonly string[] | null): string {
  if (inside !== '' || parts === null) return inside;
  if (parts.length === 1) return parts[0]!;
  return `[${parts.map((text) => text.slice(1, -1)).join(',')}]`;
}
