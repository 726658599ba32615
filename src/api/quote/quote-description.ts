import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';

const text = Type.String();
const count = Type.Integer();

const check = Type.Object(
  {
    admitted: Type.Boolean(),
    status: Type.Optional(Type.Integer({ description: 'With which it would be refused.' })),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds, where waiting helps.' })),
    error: Type.Optional(Type.Object({ type: text, code: text, message: text })),
  },
  { title: 'Quote Check' },
);

/** What the documentation says of `POST /v1/quote`. */
export const quoteDescription: RouteDescription = {
  group: 'Credits and usage',
  key: 'either',
  summary: 'Says what a request would cost and whether it would be served now, without sending it',
  query: [
    {
      name: 'endpoint',
      description:
        'The endpoint that the body is for, like `/v1/messages`. Unless said it is told by the body: chat and messages by fields that one of them alone has.',
      schema: Type.String(),
    },
  ],
  body: Type.Unsafe<object>({
    type: 'object',
    title: 'Quote Request',
    description: 'The body of any generating endpoint or of `/v1/embeddings`, as it would be sent there.',
    required: ['model'],
    properties: { model: { type: 'string' } },
  }),
  bodyExample: {
    model: '{model}',
    max_tokens: 200,
    messages: [{ role: 'user', content: 'Hello!' }],
  },
  answer:
    'The quote. It costs nothing, takes nothing from any limit and holds nothing, so that a moment later another may be true. What would be refused whoever asked is refused here too.',
  answerSchema: Type.Object(
    {
      object: Type.Literal('quote'),
      endpoint: text,
      model: Type.String({ description: 'The public id.' }),
      payment_mode: Type.Enum(['subscription', 'payg']),
      estimated_input_tokens: Type.Integer({ description: 'Estimate; 7 % off on average.' }),
      max_output_tokens: Type.Union([count, Type.Null()], {
        description: 'The most of each answer: what is asked for, what the model can, or what can be paid.',
      }),
      credits: Type.Object({
        lowest: Type.Number({ description: 'All of the prompt comes from a cache, and nothing is said.' }),
        highest: Type.Number({
          description:
            'The amount that is held if purchased credit pays or the key has a cap. It assumes the longest count of the prompt, no cache reads, and answers of full length.',
        }),
      }),
      admitted: Type.Boolean({ description: 'Whether all checks pass.' }),
      checks: Type.Object({ plan: check, key_cap: check, credits: check, limits: check }),
    },
    { title: 'Quote' },
  ),
  errors: [
    'unknown_model',
    'model_unavailable',
    'route_not_qualified',
    'context_length_exceeded',
    'not_found',
  ],
};
