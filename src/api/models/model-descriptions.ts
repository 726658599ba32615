import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { modelAnswer, modelListAnswer } from './model-answer.ts';

const shared = {
  group: 'Models',
  key: 'none',
  headers: [
    {
      name: 'anthropic-version',
      description: "Any value: the answer has the shape that Anthropic's clients know.",
    },
    {
      name: 'x-{brand}-payment-mode',
      description: '`payg` asks for a key and shows the rates of pay-as-you-go mode.',
      schema: Type.Enum(['payg', 'subscription']),
    },
  ],
  errors: [
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    'revoked_api_key',
    'subscription_required',
    'rate_limit_exceeded',
  ],
} as const satisfies Partial<RouteDescription>;

/** What the documentation says of the routes under `/v1/models`. */
export const modelDescriptions = {
  list: {
    ...shared,
    summary: 'Lists the models',
    answer: 'All models. With a key, each one says whether the plan of the key includes it.',
    answerSchema: modelListAnswer,
    query: [
      {
        name: 'wire',
        description: 'Only models that are served in this protocol without translation.',
        schema: Type.Enum(['native', 'anthropic', 'openai', 'responses']),
      },
      {
        name: 'limit',
        description: 'With `anthropic-version`: models of a page, 20 unless said.',
        schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
      },
      { name: 'after_id', description: 'With `anthropic-version`: the page after this model.' },
      { name: 'before_id', description: 'With `anthropic-version`: the page before this model.' },
    ],
  },
  show: {
    ...shared,
    summary: 'Shows a model',
    answer: 'The model, by its id or any other spelling of it.',
    answerSchema: modelAnswer,
    errors: [...shared.errors, 'not_found'],
  },
} satisfies Record<string, RouteDescription>;
