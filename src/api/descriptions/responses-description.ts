import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { responsesRequestSchema } from '../../translation/protocols/responses/request-schema.ts';
import { generatingErrors, inferenceHeaders } from './inference-description.ts';

const usage = Type.Object({
  input_tokens: Type.Integer({ description: 'Cached ones included.' }),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  output_tokens: Type.Integer({ description: 'Reasoning included.' }),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});

const orNull = Type.Union([Type.Null(), Type.Object({})]);

/** A response as clients see it, when it is made and when it is read again. */
export const responseAnswer = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    status: Type.String({ description: '`completed`, `incomplete` or `failed`.' }),
    model: Type.String({ description: 'The model as the request named it.' }),
    output: Type.Array(
      Type.Object({ type: Type.String() }, { description: 'Messages, reasoning and tool calls.' }),
    ),
    error: orNull,
    incomplete_details: orNull,
    previous_response_id: Type.Union([Type.String(), Type.Null()]),
    store: Type.Boolean({ description: 'Whether it is kept, to be read again and continued.' }),
    usage,
  },
  { title: 'Response' },
);

/** What the documentation says of `POST /v1/responses`. */
export const responsesDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Answers a conversation, in the shape of OpenAI responses',
  headers: inferenceHeaders,
  body: Type.Unsafe({ ...responsesRequestSchema, title: 'Responses Request' }),
  bodyExample: { model: '{model}', input: 'Hello!' },
  answer:
    'The response. A stream ends with `response.completed` or `response.incomplete`, or with `error` and `response.failed` in their place.',
  answerSchema: responseAnswer,
  streams: true,
  errors: generatingErrors,
};
