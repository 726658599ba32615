import { type Static, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

/** A mapping with exactly these fields. A field with a default may be left out of the file. */
export const section = <Fields extends TProperties>(fields: Fields, options: TSchemaOptions) =>
  Type.Object(fields, { additionalProperties: false, default: {}, ...options });

/** A mapping with exactly these fields that has no default of its own. */
export const row = <Fields extends TProperties>(fields: Fields, options: TSchemaOptions) =>
  Type.Object(fields, { additionalProperties: false, ...options });

/** Null unless the file says otherwise. */
export const nullable = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], { default: null, ...options });

type Pattern = { pattern: string; expected: string };

/** Free names on the left, one kind of value on the right. */
export const mapping = <Schema extends TSchema>(name: Pattern, value: Schema, options: TSchemaOptions) =>
  Type.Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    patternProperties: { [name.pattern]: value },
    additionalProperties: false,
    ...options,
  });

/** One of a few words. */
export const choice = <const Word extends string>(words: readonly Word[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options });
