import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { findProblems } from './find-problems.ts';
import type { SchemaProblem } from './schema-problem.ts';

export type Validator = (value: unknown) => SchemaProblem | undefined;

/**
 * Creates a function that returns a value's first problem, or undefined. The schema is compiled on first use;
 * most are never used.
 */
export function createValidator(
  schema: TSchema,
  isSecret: (path: readonly (string | number)[]) => boolean = () => false,
): Validator {
  let compiled: { Check(value: unknown): boolean } | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return undefined;
    return findProblems(schema, value, { most: 1, isSecret })[0] ?? { path: [], message: 'is not valid' };
  };
}
