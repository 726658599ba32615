import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** The limit of this protocol's vendor. */
const MAX_DOCUMENTS = 10_000;

/** The fields that the gateway checks. Other fields are passed on. */
export const requestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  query: Type.String({ minLength: 1 }),
  documents: Type.Array(Type.Union([Type.String(), Type.Object({})]), {
    minItems: 1,
    maxItems: MAX_DOCUMENTS,
  }),
  top_n: optional(Type.Integer({ minimum: 1 })),
  return_documents: optional(Type.Boolean()),
  max_tokens_per_doc: optional(Type.Integer({ minimum: 1 })),
});

export type RerankRequest = Static<typeof requestSchema>;
