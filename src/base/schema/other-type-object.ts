import { escapeForRegExp } from '../lib/escape-for-reg-exp.ts';
import { Type } from './type.ts';

/**
 * Accepts an object of any type other than the known ones. Only its own vendor understands it.
 * The pattern excludes the known types, since an invalid object of one of them would match here.
 */
export const otherTypeObject = (known: readonly string[], expected: string) =>
  Type.Object({
    type: Type.String({
      pattern: `^(?!(?:${known.map(escapeForRegExp).join('|')})$)`,
      minLength: 1,
      expected,
    }),
  });
