import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { responseAnswer } from '../descriptions/responses-description.ts';

const shared = {
  group: 'Stored responses',
  key: 'bearer',
  errors: ['not_found'],
} as const satisfies Partial<RouteDescription>;

const idOrNull = Type.Union([Type.String(), Type.Null()]);

/** What the documentation says of the routes under `/v1/responses/{id}`. */
export const responseDescriptions = {
  show: {
    ...shared,
    summary: 'Reads a stored response again',
    answer: 'The response, byte for byte as it was sent, to the key that it was made with.',
    answerSchema: responseAnswer,
    errors: [...shared.errors, 'invalid_request'],
  },
  delete: {
    ...shared,
    summary: 'Deletes a stored response',
    answer: 'It is gone, and cannot be continued any more.',
    answerSchema: Type.Object({
      id: Type.String(),
      object: Type.Literal('response'),
      deleted: Type.Literal(true),
    }),
  },
  inputItems: {
    ...shared,
    summary: 'Lists what a stored response answered',
    answer: 'The items that the model was given, those of earlier turns included.',
    query: [
      { name: 'order', description: 'Newest first unless `asc`.', schema: Type.Enum(['asc', 'desc']) },
      {
        name: 'limit',
        description: 'Items of a page, 20 unless said.',
        schema: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      { name: 'after', description: 'The page after this item.' },
    ],
    answerSchema: Type.Object({
      object: Type.Literal('list'),
      data: Type.Array(Type.Object({ id: Type.String(), type: Type.String() })),
      first_id: idOrNull,
      last_id: idOrNull,
      has_more: Type.Boolean(),
    }),
    errors: [...shared.errors, 'invalid_request'],
  },
} satisfies Record<string, RouteDescription>;
