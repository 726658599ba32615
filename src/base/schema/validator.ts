import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { findProblems } from './find-problems.ts';
import type { SchemaProblem } from './schema-problem.ts';

export type Validator = (value: unknown) => SchemaProblem | undefined;

type Compiled = { Check(value: unknown): boolean };

/** A compilation takes 10 ms of CPU time in a new process, and several validators have the same schema. */
const compiledSchemas = new WeakMap<TSchema, Compiled>();

function compile(schema: TSchema): Compiled {
  const existing = compiledSchemas.get(schema);
  if (existing) return existing;
  const compiled = Compile(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}

/**
 * Creates a function that returns a value's first problem, or undefined. The schema is compiled on first use;
 * most are never used.
 */
export function createValidator(
  schema: TSchema,
  isSecret: (path: readonly (string | number)[]) => boolean = () => false,
): Validator {
  let compiled: Compiled | undefined;
  return (value) => {
    compiled ??= compile(schema);
    if (compiled.Check(value)) return undefined;
    return findProblems(schema, value, { limit: 1, isSecret })[0] ?? { path: [], message: 'is not valid' };
  };
}
