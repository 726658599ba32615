import type { SchemaProblem } from '../../base/schema/schema-problem.ts';

export type ProblemPath = SchemaProblem['path'];

/** Returns the problem of a field as a list, which is empty if the field is right. */
export const problemIf = (isWrong: boolean, path: ProblemPath, message: string): SchemaProblem[] =>
  isWrong ? [{ path, message }] : [];
