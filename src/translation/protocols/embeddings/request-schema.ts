import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/**
 * The limit of this protocol's vendors. It is not in the schema, where it would also limit lists of tokens.
 */
export const MAX_INPUTS = 2_048;
/** The limit of a requested width. Real vectors are shorter. */
export const MAX_DIMENSIONS = 65_536;

const text = Type.String({ minLength: 1 });
const tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

/** The fields that the gateway checks. Other fields are passed on. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: Type.Union([text, Type.Array(text, { minItems: 1 }), tokens, Type.Array(tokens, { minItems: 1 })]),
  dimensions: optional(Type.Integer({ minimum: 1, maximum: MAX_DIMENSIONS })),
  encoding_format: optional(Type.Enum(['float', 'base64'])),
  user: optional(Type.String()),
});

export type EmbeddingsRequest = Static<typeof requestSchema>;

/** Counts the vectors that the request asks for. A flat list of tokens is one text. */
export const countInputs = ({ input }: EmbeddingsRequest): number =>
  typeof input === 'string' || typeof input[0] === 'number' ? 1 : input.length;
