import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { modelErrors, windowErrors } from './inference-errors.ts';
import { countingHeaders } from './inference-headers.ts';
import { responsesDescription } from './responses-description.ts';

/** Describes `POST /v1/responses/input_tokens`. */
export const inputTokensDescription: RouteDescription = {
  group: 'Chat',
  key: 'bearer',
  summary: 'Counts the input tokens of a response without creating it',
  headers: countingHeaders,
  ...(responsesDescription.body && { body: responsesDescription.body }),
  bodyExample: { model: '{model}', input: 'Hello!' },
  answer:
    "The count, by the tokenizer closest to the model's own. The conversation that the request continues is included. Counting is free.",
  answerSchema: Type.Object(
    {
      object: Type.Literal('response.input_tokens'),
      input_tokens: Type.Integer({ description: 'Input, instructions, tools, images and files.' }),
    },
    { title: 'Input Token Count' },
  ),
  errors: [...modelErrors, ...windowErrors, 'not_found'],
};
