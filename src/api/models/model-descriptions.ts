import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { revalidation } from '../descriptions/revalidation.ts';
import { modelAnswer, modelListAnswer, modelNotFound } from './model-schemas.ts';
import { wireChoices } from './wire-filter.ts';

const shared = {
  group: 'Models',
  key: 'none',
  headers: [
    ...revalidation.headers,
    {
      name: 'anthropic-version',
      description: 'With any value, the answer has the form of the Anthropic API.',
    },
    {
      name: 'x-goog-api-client',
      description: 'With any value, the answer is that of `/v1beta/models`.',
    },
    {
      name: 'x-{brand}-payment-mode',
      description: '`payg` shows the rates of pay-as-you-go mode and requires a key.',
      schema: Type.Enum(['payg', 'subscription']),
    },
  ],
  errors: [
    'invalid_request',
    'missing_api_key',
    'invalid_api_key',
    'revoked_api_key',
    'subscription_required',
    'account_suspended',
    'account_closed',
    'rate_limit_exceeded',
  ],
  otherAnswers: revalidation.otherAnswers,
} as const satisfies Partial<RouteDescription>;

/** Describes the routes under `/v1/models`. */
export const modelDescriptions = {
  list: {
    ...shared,
    summary: 'Lists the models',
    answer: "All models. With a key, each entry shows whether the key's plan includes the model.",
    answerSchema: modelListAnswer,
    query: [
      {
        name: 'wire',
        description: 'Lists only models that this protocol reaches without translation.',
        schema: Type.Enum(wireChoices),
      },
      {
        name: 'limit',
        description: 'With `anthropic-version`: models per page. Default: 20.',
        schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
      },
      { name: 'after_id', description: 'With `anthropic-version`: returns the page after this model.' },
      { name: 'before_id', description: 'With `anthropic-version`: returns the page before this model.' },
    ],
  },
  show: {
    ...shared,
    summary: 'Shows a model',
    answer: 'The model, by its id or one of its aliases.',
    answerSchema: modelAnswer,
    errors: [...shared.errors, 'not_found'],
    otherAnswers: {
      ...shared.otherAnswers,
      404: {
        description:
          '`not_found`: The model does not exist. With `anthropic-version` the body also has a `type`.',
        body: {
          schema: modelNotFound,
          example: { error: { type: 'not_found', message: "There is no model 'unknown'." } },
        },
      },
    },
  },
} satisfies Record<string, RouteDescription>;
