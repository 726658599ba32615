import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

/** Finds ids that an earlier row of a list has too. `noun` names a row of the list. */
export function repeatedIds(
  rows: readonly { id: string }[],
  noun: string,
  path: ProblemPath,
): SchemaProblem[] {
  const ids = rows.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    const earlier = ids.indexOf(id);
    const message = `must be unique; the ${noun} at position ${earlier} also has the id '${id}'`;
    return problemIf(earlier !== index, [...path, index, 'id'], message);
  });
}
