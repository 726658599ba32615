import { escapeForRegExp } from '../lib/escape-for-reg-exp.ts';
import { Type } from './type.ts';

/** The schema of an object whose type is a literal. */
type TypedObject = { readonly properties: { readonly type: { readonly const: string } } };

/**
 * Accepts an object of any type other than the known ones. Only its own vendor understands it. The pattern
 * excludes the known types, since an invalid object of one of them would match here.
 */
export const otherTypeObject = (known: readonly (string | TypedObject)[], expected: string) =>
  Type.Object({
    type: Type.String({
      pattern: `^(?!(?:${known.map(typeOf).map(escapeForRegExp).join('|')})$)`,
      minLength: 1,
      expected,
    }),
  });

const typeOf = (known: string | TypedObject): string =>
  typeof known === 'string' ? known : known.properties.type.const;
