import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

/** Finds ids that an earlier row of a list has too. `noun` names a row of the list. */
export function repeatedIds(
  rows: readonly { id: string }[],
  noun: string,
  path: ProblemPath,
): SchemaProblem[] {
  const places = new Map<string, number>();
  return rows.flatMap(({ id }, index) => {
    const earlier = places.get(id);
    if (earlier === undefined) places.set(id, index);
    const message = `must be unique; the ${noun} at position ${earlier} also has the id '${id}'`;
    return problemIf(earlier !== undefined, [...path, index, 'id'], message);
  });
}
