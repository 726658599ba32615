import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import { Refusal, refusedAsInvalid } from '../../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';

/** The meanings of hosts' codes and types. */
const codes: Readonly<Record<string, ErrorCode>> = {
  context_length_exceeded: 'context_length_exceeded',
  content_filter: 'content_filter',
  content_policy_violation: 'content_filter',
  image_content_policy_violation: 'content_filter',
  invalid_prompt: 'content_filter', // the vendor's code for a prompt that breaks its policy
  bio_policy: 'content_filter',
  misalignment: 'content_filter',
  misalignment_policy_violation: 'content_filter',
  rate_limit_exceeded: 'upstream_overloaded',
  rate_limit_error: 'upstream_overloaded',
  overloaded_error: 'upstream_overloaded',
  server_is_overloaded: 'upstream_overloaded',
  slow_down: 'upstream_overloaded',
  timeout: 'upstream_timeout',
  vector_store_timeout: 'upstream_timeout',
};

/**
 * Codes of refused images and other invalid requests.
 * An invalid API key is excluded, since only the operator can fix it.
 */
const INVALID =
  /^(invalid_(?!api_key)|image_|unsupported_image|empty_image|failed_to_download_image|tool_use_failed)/;
const LENGTH = /context (length|window)|prompt is too long|maximum context/i;
const OVERLOAD = /overloaded|rate limit/i;

/**
 * Returns the gateway's refusal for an upstream's error.
 * The error's text decides its meaning and goes only to the log.
 */
export function refusalOf(error: unknown): Refusal {
  const { code, type, message } = objectOf(error);
  const errorCode = codeOf(textOf(code), textOf(type), textOf(message) ?? '');
  return errorCode === 'invalid_request' ? refusedAsInvalid(error) : new Refusal(errorCode, { cause: error });
}

function codeOf(code: string | undefined, type: string | undefined, message: string): ErrorCode {
  const errorCode = lookUp(codes, code) ?? lookUp(codes, type);
  if (errorCode) return errorCode;
  if (LENGTH.test(message)) return 'context_length_exceeded';
  if (INVALID.test(code ?? type ?? '')) return 'invalid_request';
  return OVERLOAD.test(message) ? 'upstream_overloaded' : 'upstream_unavailable';
}
