import { Type } from 'typebox';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { RouteParameter } from '../../edge/http/route.ts';

/** A model that cannot be had, or not by this key. */
export const modelErrors: readonly ErrorCode[] = [
  'unknown_model',
  'model_unavailable',
  'subscription_required',
  'payg_required',
  'plan_upgrade_required',
  'permission_denied',
  'route_not_qualified',
];

/** Too much at a time. */
export const windowErrors: readonly ErrorCode[] = [
  'rate_limit_exceeded',
  'tokens_per_minute_exceeded',
  'network_rate_limited',
];

/** What every request that a model answers can be refused for, or fail by. */
export const inferenceErrors: readonly ErrorCode[] = [
  ...modelErrors,
  'context_length_exceeded',
  'input_exceeds_plan',
  'request_unprocessable',
  'allowance_exhausted',
  'credit_used_up',
  'token_allowance_exhausted',
  'paid_credit_required',
  'insufficient_paid_credit',
  'key_budget_exhausted',
  ...windowErrors,
  'concurrency_limit_exceeded',
  'capacity_unavailable',
  'upstream_overloaded',
  'upstream_unavailable',
  'upstream_timeout',
];

/** Where what the model says is looked at too. */
export const generatingErrors: readonly ErrorCode[] = [...inferenceErrors, 'content_filter'];

export const inferenceHeaders: readonly RouteParameter[] = [
  {
    name: 'x-{brand}-payment-mode',
    description: "What pays for the request, over the key's own setting.",
    schema: Type.Enum(['payg', 'subscription']),
  },
  {
    name: 'x-{brand}-strict',
    description:
      'Refuses the request if any part of it would be lost. Without it, `x-{brand}-translation-losses` of the answer lists what was lost.',
    schema: Type.Enum(['true']),
  },
];
