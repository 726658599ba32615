import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { responseAnswer } from '../descriptions/responses-description.ts';

const shared = {
  group: 'Stored responses',
  key: 'bearer',
} as const satisfies Partial<RouteDescription>;

const idOrNull = orNull(Type.String());

/** Describes the routes under `/v1/responses/{id}`. */
export const responseDescriptions = {
  show: {
    ...shared,
    summary: 'Returns a stored response',
    query: [
      {
        name: 'stream',
        description:
          '`true` streams the events of a response in the background, from its beginning or after `starting_after`.',
        schema: Type.Enum(['true', 'false']),
      },
      {
        name: 'starting_after',
        description: 'The `sequence_number` of the last event that the client has. It needs `stream=true`.',
        schema: Type.Integer({ minimum: 0 }),
      },
    ],
    answer:
      'The response as it was sent, byte for byte. A response in the background is returned in its present state. Only the key that created a response can read it.',
    answerSchema: responseAnswer,
    errors: ['not_found', 'invalid_request'],
  },
  cancel: {
    ...shared,
    summary: 'Cancels a response in the background',
    answer: 'The response. What the model had written is charged. A response that has ended stays as it is.',
    answerSchema: responseAnswer,
    errors: ['not_found', 'invalid_request'],
  },
  delete: {
    ...shared,
    summary: 'Deletes a stored response',
    answer: 'The response is deleted and cannot be continued.',
    answerSchema: Type.Object({
      id: Type.String(),
      object: Type.Literal('response'),
      deleted: Type.Literal(true),
    }),
    errors: ['not_found'],
  },
  inputItems: {
    ...shared,
    summary: 'Lists the input items of a stored response',
    answer: 'The input items, including those of earlier turns.',
    query: [
      {
        name: 'order',
        description: 'The order of the items. Default: `desc`, newest first.',
        schema: Type.Enum(['asc', 'desc']),
      },
      {
        name: 'limit',
        description: 'Items per page. Default: 20.',
        schema: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      {
        name: 'after',
        description: 'Returns the page after this item.',
        schema: Type.String({ minLength: 1 }),
      },
    ],
    answerSchema: Type.Object({
      object: Type.Literal('list'),
      data: Type.Array(Type.Object({ id: Type.String(), type: Type.String() })),
      first_id: idOrNull,
      last_id: idOrNull,
      has_more: Type.Boolean(),
    }),
    errors: ['not_found', 'invalid_request'],
  },
} satisfies Record<string, RouteDescription>;
