import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import { Refusal, refusedAsInvalid } from '../../../base/errors/refusal.ts';
import { isObject } from '../../../base/lib/is-object.ts';

/** The meanings of hosts' codes, types and messages. The first match wins. */
const MEANINGS: readonly [RegExp, ErrorCode][] = [
  [/context.{0,3}(length|window)|maximum context|prompt is too long/i, 'context_length_exceeded'],
  [/content.?(filter|policy)|moderation|data_inspection/i, 'content_filter'],
  [
    /overload|rate.?limit|too.many.requests|at capacity|system_resource|\b(429|503|529)\b/i,
    'upstream_overloaded',
  ],
];

/** Errors that hosts attribute to the request but that only the operator can fix. */
const OPERATORS = /api.?key|authenti|permission|quota|billing|model.?not.?found/i;
/** Errors of the request itself: it was invalid, or the model's output does not meet its schema. */
const INVALID = /invalid_?(request|argument|value)|tool_use_failed|json_validate_failed/i;
const INVALID_STATUS = new Set<unknown>([400, 422, '400', '422']);

/** The error text is cut here. Real error messages are shorter. */
const MAX_LENGTH = 2_000;

/**
 * Returns the gateway's refusal for an error inside a stream. The upstream's own words go only to the log.
 */
export function readUpstreamError(error: unknown): Refusal {
  const fields = isObject(error) ? error : { message: error };
  const reason = [fields.code, fields.type, fields.status, fields.message]
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .join(' ')
    .slice(0, MAX_LENGTH);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(reason));
  if (!meaning && isInvalid(fields, reason)) return refusedAsInvalid(error);
  return new Refusal(meaning?.[1] ?? 'upstream_unavailable', { cause: error });
}

const isInvalid = ({ code, status, status_code }: Record<string, unknown>, reason: string): boolean =>
  !OPERATORS.test(reason) &&
  (INVALID.test(reason) || [code, status, status_code].some((value) => INVALID_STATUS.has(value)));
