import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { countRequestSchema } from '../../translation/protocols/messages/request-schema.ts';
import { modelErrors, windowErrors } from './inference-errors.ts';
import { countingHeaders } from './inference-headers.ts';

/** Describes `POST /v1/messages/count_tokens`. */
export const countDescription: RouteDescription = {
  group: 'Chat',
  key: 'either',
  summary: 'Counts the input tokens of a conversation without answering it',
  headers: countingHeaders,
  body: Type.Unsafe({ ...countRequestSchema, title: 'Count Tokens Request' }),
  bodyExample: { model: '{model}', messages: [{ role: 'user', content: 'Hello!' }] },
  answer:
    "The count, by the tokenizer closest to the model's own. Counting is free. The billed count can differ.",
  answerSchema: Type.Object(
    { input_tokens: Type.Integer({ description: 'Messages, system prompt, tools, images and documents.' }) },
    { title: 'Token Count' },
  ),
  errors: [...modelErrors, ...windowErrors],
};
