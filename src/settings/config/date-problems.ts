import { instantOf } from '../../base/lib/instant-of.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

/** Finds a date that the calendar lacks, such as 30 February. A field that is left out has no problem. */
export const dateProblems = (date: string | undefined, path: ProblemPath): SchemaProblem[] =>
  date === undefined ? [] : problemIf(Number.isNaN(instantOf(date)), path, `must exist; there is no ${date}`);
