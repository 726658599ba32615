import type { Static, TProperties, TSchema, TSchemaOptions } from 'typebox';
import { Type } from '../../base/schema/type.ts';

/**
 * Returns the schema of a mapping with exactly these fields. The file may omit fields that have a default.
 */
export const section = <Fields extends TProperties>(fields: Fields, options: TSchemaOptions) =>
  Type.Object(fields, { additionalProperties: false, default: {}, ...options });

/** Returns the schema of a mapping with exactly these fields and without a default. */
export const row = <Fields extends TProperties>(fields: Fields, options: TSchemaOptions) =>
  Type.Object(fields, { additionalProperties: false, ...options });

/** Returns the schema of a value that is null by default. */
export const nullable = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], { default: null, ...options });

type Pattern = { pattern: string; expected: string };

/** Returns the schema of a mapping from names of any spelling that matches `name` to values of one schema. */
export const mapping = <Schema extends TSchema>(name: Pattern, value: Schema, options: TSchemaOptions) =>
  Type.Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    patternProperties: { [name.pattern]: value },
    additionalProperties: false,
    ...options,
  });

/** Returns the schema of a string from a fixed list. */
export const choice = <const Word extends string>(words: readonly Word[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options });
