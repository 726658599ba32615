import { Type } from './type.ts';

/** Accepts an object of any type other than the known ones. Only its own vendor understands it. */
export const beside = (values: readonly string[], expected: string) =>
  Type.Object({ type: Type.String({ pattern: `^(?!(?:${values.join('|')})$)`, minLength: 1, expected }) });
