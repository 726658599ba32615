import type { ErrorCode } from '../../base/errors/catalogue.ts';

/** Errors for a model that does not exist, is unavailable, or is not included for the key. */
export const modelErrors: readonly ErrorCode[] = [
  'unknown_model',
  'model_unavailable',
  'subscription_required',
  'payg_required',
  'plan_upgrade_required',
  'permission_denied',
  'route_not_qualified',
];

/** Errors for exceeded rate limits. */
export const windowErrors: readonly ErrorCode[] = [
  'rate_limit_exceeded',
  'tokens_per_minute_exceeded',
  'network_rate_limited',
];

/** Errors of every request that a model answers. */
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

/** Errors of requests whose repetition gets the first answer again. */
export const repeatableErrors: readonly ErrorCode[] = [...inferenceErrors, 'idempotency_conflict'];

/** Errors of requests that generate text. Their output can be filtered. */
export const generatingErrors: readonly ErrorCode[] = [...repeatableErrors, 'content_filter'];

/** Errors of metered endpoints. They have no window that a prompt could exceed. */
export const meteredErrors: readonly ErrorCode[] = [...inferenceErrors, 'content_filter'];
