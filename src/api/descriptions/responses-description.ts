import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { responsesRequestSchema } from '../../translation/protocols/responses/request-schema.ts';
import { generatingErrors } from './inference-errors.ts';
import { generatingHeaders } from './inference-headers.ts';

export const responseUsage = Type.Object({
  input_tokens: Type.Integer({ description: 'All input tokens, cached ones included.' }),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  output_tokens: Type.Integer({ description: 'All output tokens, reasoning included.' }),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});

const objectOrNull = orNull(Type.Object({}));

/** The response object, as it is created and as it is retrieved. */
export const responseAnswer = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    status: Type.String({
      description:
        '`completed`, `incomplete` or `failed`. In the background also `queued`, `in_progress` and `cancelled`.',
    }),
    model: Type.String({ description: 'The model as the request named it.' }),
    output: Type.Array(
      Type.Object({ type: Type.String() }, { description: 'Messages, reasoning and tool calls.' }),
    ),
    error: objectOrNull,
    incomplete_details: objectOrNull,
    previous_response_id: orNull(Type.String()),
    store: Type.Boolean({
      description: 'The response is stored. A stored response can be retrieved and continued.',
    }),
    usage: responseUsage,
  },
  { title: 'Response Object' },
);

/**
 * A reference may lack its type. The gateway adds it before it validates the body, so its own schema has no
 * such item.
 */
const shortReference = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.Optional(Type.Null()),
});

const { input, ...others } = responsesRequestSchema.properties;
const [text, items] = input.anyOf;
const body = Type.Unsafe({
  ...responsesRequestSchema,
  title: 'Responses Request',
  properties: {
    ...others,
    input: {
      ...input,
      anyOf: [text, { ...items, items: { anyOf: [...items.items.anyOf, shortReference] } }],
    },
  },
});

/** Describes `POST /v1/responses`. */
export const responsesDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Creates an answer to a conversation (OpenAI Responses)',
  headers: generatingHeaders,
  body,
  bodyExample: { model: '{model}', input: 'Hello!' },
  answer:
    'The response. A stream ends with `response.completed` or `response.incomplete`. A failed stream ends with `error` and `response.failed` instead.',
  answerSchema: responseAnswer,
  streams: true,
  errors: [...generatingErrors, 'not_found', 'conversation_locked'],
};
