import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteParameter } from '../../edge/http/route.ts';

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

/** The header of requests for which no model is asked, but which are refused like those that ask one. */
export const countingHeaders: readonly RouteParameter[] = [
  {
    name: 'x-{brand}-payment-mode',
    description: "The mode that decides which models the key can use. Overrides the key's own setting.",
    schema: Type.Enum(['payg', 'subscription']),
  },
];

/** Headers of every request that a model answers. */
export const inferenceHeaders: readonly RouteParameter[] = [
  {
    name: 'x-{brand}-payment-mode',
    description: "The balance that pays for the request. Overrides the key's own setting.",
    schema: Type.Enum(['payg', 'subscription']),
  },
  {
    name: 'x-{brand}-strict',
    description:
      '`true` refuses the request if the translation would drop a field. Without this header, `x-{brand}-translation-losses` lists the dropped fields.',
  },
  {
    name: 'x-{brand}-tags',
    description:
      'What budgets and records count the request for: up to 8 tags of up to 64 characters, separated by commas.',
  },
];

/** Headers of requests whose repetition gets the first answer again. */
export const repeatableHeaders: readonly RouteParameter[] = [
  ...inferenceHeaders,
  {
    name: 'Idempotency-Key',
    description:
      'A repetition with the same value gets the answer of the first request, at no charge. It has this effect if `retries` of the API key is `keyed` or `join`, and then has 1 to 200 characters.',
  },
];

/** Headers of requests that generate text. */
export const generatingHeaders: readonly RouteParameter[] = [
  ...repeatableHeaders,
  {
    name: 'x-{brand}-resumable',
    description:
      '`true`: `GET /v1/streams/{request_id}` resumes the stream where it broke. `false` turns off the setting `resumable` of the API key.',
    schema: Type.Enum(['true', 'false']),
  },
];
