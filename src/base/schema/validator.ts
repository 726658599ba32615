import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { findProblems } from './find-problems.ts';
import type { SchemaProblem } from './schema-problem.ts';

export type Validator = (value: unknown) => SchemaProblem | undefined;

/** The first problem of a value, or undefined. Compiled at the first use, which for most never comes. */
export function createValidator(schema: TSchema): Validator {
  let compiled: { Check(value: unknown): boolean } | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return undefined;
    return findProblems(schema, value, { most: 1 })[0] ?? { path: [], message: 'is not valid' };
  };
}
