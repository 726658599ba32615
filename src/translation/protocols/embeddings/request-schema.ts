import { type Static, type TSchema, Type } from 'typebox';

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** As many as the makers of this protocol take. Not in the schema, where it would count against lists of tokens too. */
export const MAX_INPUTS = 2_048;
const MAX_DIMENSIONS = 65_536;

const text = Type.String({ minLength: 1 });
const tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });

/** The fields that we look at; others are the upstream's business. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  input: Type.Union([text, Type.Array(text, { minItems: 1 }), tokens, Type.Array(tokens, { minItems: 1 })]),
  dimensions: optional(Type.Integer({ minimum: 1, maximum: MAX_DIMENSIONS })),
  encoding_format: optional(Type.Enum(['float', 'base64'])),
  user: optional(Type.String()),
});

export type EmbeddingsRequest = Static<typeof requestSchema>;

/** How many vectors are asked for: tokens by themselves are one text. */
export const countInputs = ({ input }: EmbeddingsRequest): number =>
  typeof input === 'string' || typeof input[0] === 'number' ? 1 : input.length;
