import { Type } from '../../base/schema/type.ts';
import type { RouteParameter } from '../../edge/http/route.ts';

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
