import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { messagesRequestSchema } from '../../translation/protocols/messages/request-schema.ts';
import { generatingErrors } from './inference-errors.ts';
import { generatingHeaders } from './inference-headers.ts';

const usage = Type.Object({
  input_tokens: Type.Integer({
    description: 'Input tokens that were neither read from a cache nor written to one.',
  }),
  output_tokens: Type.Integer({ description: 'All output tokens, thinking included.' }),
  cache_read_input_tokens: orNull(Type.Integer()),
  cache_creation_input_tokens: orNull(Type.Integer()),
});

/** Describes `POST /v1/messages`. */
export const messagesDescription: RouteDescription = {
  group: 'Chat',
  key: 'either',
  summary: 'Creates an answer to a conversation (Anthropic Messages)',
  headers: generatingHeaders,
  body: Type.Unsafe({ ...messagesRequestSchema, title: 'Messages Request' }),
  bodyExample: { model: '{model}', max_tokens: 256, messages: [{ role: 'user', content: 'Hello!' }] },
  answer:
    'The message. A stream ends with `message_stop`. A failed stream ends with an `error` event instead.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      type: Type.Literal('message'),
      role: Type.Literal('assistant'),
      model: Type.String({ description: 'The model as the request named it.' }),
      content: Type.Array(
        Type.Object({ type: Type.String() }, { description: 'Text, thinking and tool calls.' }),
      ),
      stop_reason: orNull(Type.String()),
      stop_sequence: orNull(Type.String()),
      usage,
    },
    { title: 'Message' },
  ),
  streams: true,
  errors: generatingErrors,
};
