import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { quotedPaths } from './quoted-paths.ts';

const text = Type.String();
const count = Type.Integer();

const check = Type.Object(
  {
    admitted: Type.Boolean(),
    status: Type.Optional(Type.Integer({ description: 'The status of the refusal.' })),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds to wait, if a retry can succeed.' })),
    error: Type.Optional(Type.Object({ type: text, code: text, message: text })),
  },
  { title: 'Quote Check' },
);

const quote = Type.Object(
  {
    object: Type.Literal('quote'),
    endpoint: text,
    model: Type.String({ description: 'The public id of the model.' }),
    payment_mode: Type.Enum(['subscription', 'payg']),
    estimated_input_tokens: Type.Integer({ description: 'An estimate, with an average error of 7 %.' }),
    max_output_tokens: orNull(
      count,
      "The output ceiling of each answer: the lowest of the requested limit, the model's limit and the payable output.",
    ),
    price_rows: Type.Array(text, {
      description:
        'The price rows that can apply, the most expensive last. `base` stands for the base prices.',
    }),
    credits: Type.Object({
      lowest: Type.Number({
        description: 'The cost if the whole prompt is cached and the output is empty.',
      }),
      highest: Type.Number({
        description:
          'The highest possible cost: the largest count of the prompt, no cache reads, and answers of full length. Purchased credit and key caps hold this amount.',
      }),
    }),
    admitted: Type.Boolean({ description: 'All checks pass.' }),
    checks: Type.Object({ plan: check, key_cap: check, credits: check, limits: check }),
  },
  { title: 'Quote' },
);
export type QuoteView = Static<typeof quote>;

/** Describes `POST /v1/quote`. */
export const quoteDescription: RouteDescription = {
  group: 'Credits and usage',
  key: 'either',
  summary: 'Estimates the cost of a request and checks its admission, without sending it',
  query: [
    {
      name: 'endpoint',
      description:
        'The endpoint that the body is for, for example `/v1/messages`. The paths of Gemini can have the model in place of `{id}`; otherwise the body names it. Default: the endpoint is inferred from the fields of the body. Endpoints with a form accept their form here too.',
      schema: Type.Union([
        Type.Enum(Object.values(quotedPaths)),
        Type.String({ pattern: '^/v1(beta)?/models/.+:[a-zA-Z]+$' }),
      ]),
    },
  ],
  body: Type.Unsafe<object>({
    type: 'object',
    title: 'Quote Request',
    description:
      'A JSON request body of an endpoint that a model answers. It names the model, unless the endpoint does.',
    properties: { model: { type: 'string', minLength: 1 } },
    additionalProperties: true,
  }),
  bodyExample: {
    model: '{model}',
    max_tokens: 200,
    messages: [{ role: 'user', content: 'Hello!' }],
  },
  answer:
    'The quote. A quote is free, uses no request or token limit and holds no credit, so a later quote can differ. Requests that are invalid for every caller are refused here too.',
  answerSchema: quote,
  errors: [
    'unknown_model',
    'model_unavailable',
    'route_not_qualified',
    'context_length_exceeded',
    'not_found',
  ],
};
