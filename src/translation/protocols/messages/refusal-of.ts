import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refusalForCode } from '../refusal-for-code.ts';

/** The meanings of the vendor's types of errors. */
const codes: Readonly<Record<string, ErrorCode>> = {
  invalid_request_error: 'invalid_request',
  request_too_large: 'request_unprocessable',
  overloaded_error: 'upstream_overloaded',
  rate_limit_error: 'upstream_overloaded',
  timeout_error: 'upstream_timeout',
};

const LENGTH = /too long|context (length|window|limit)|exceeds? (the )?(maximum|limit)/i;
const SAFETY = /content filter|safety|usage polic/i;

/** Returns the gateway's refusal for an error event. */
export function refusalOf(error: unknown): Refusal {
  const { type, message } = objectOf(error);
  return refusalForCode(codeOf(textOf(type) ?? '', textOf(message) ?? ''), error);
}

/** Reads the message first, since the type of an invalid request does not show its cause. */
function codeOf(type: string, message: string): ErrorCode {
  if (type === 'invalid_request_error' && LENGTH.test(message)) return 'context_length_exceeded';
  if (SAFETY.test(message)) return 'content_filter';
  return lookUp(codes, type) ?? 'upstream_unavailable';
}
