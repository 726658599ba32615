import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';
import { MAX_DIMENSIONS, MAX_INPUTS } from './request-schema.ts';

/** The members of one input, in the body itself or in an element of its list. */
const inputFields = {
  content: Type.Object({
    parts: Type.Array(Type.Object({ text: Type.String({ minLength: 1 }) }), { minItems: 1, maxItems: 1_000 }),
  }),
  taskType: optional(Type.String()),
  title: optional(Type.String()),
  outputDimensionality: optional(Type.Integer({ minimum: 1, maximum: MAX_DIMENSIONS })),
};

/** The body of `:embedContent`. The path names the model. */
export const embedContentSchema = Type.Object(inputFields);
export type EmbedContent = Static<typeof embedContentSchema>;

/** The body of `:batchEmbedContents`. */
export const embedContentsSchema = Type.Object({
  requests: Type.Array(Type.Object(inputFields), { minItems: 1, maxItems: MAX_INPUTS }),
});
