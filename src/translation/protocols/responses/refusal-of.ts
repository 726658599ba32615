import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refusalForCode } from '../refusal-for-code.ts';

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

/** Codes and types of refused images and other invalid requests. */
const INVALID = /^(invalid_|image_|unsupported_image|empty_image|failed_to_download_image|tool_use_failed)/;
/** An invalid API key is not a fault of the request, since only the operator can replace it. */
const OPERATORS = /^invalid_api_key/;
const LENGTH = /context (length|window)|prompt is too long|maximum context/i;
const OVERLOAD = /overloaded|rate limit/i;

/** Returns the gateway's refusal for an upstream's error. */
export function refusalOf(error: unknown): Refusal {
  const { code, type, message } = objectOf(error);
  return refusalForCode(codeOf(textOf(code), textOf(type), textOf(message) ?? ''), error);
}

/**
 * Reads the most exact statement first: the code, then the type. The message decides for words that hosts
 * made up. Its length comes before an invalid request, which is the type of both at some hosts.
 */
function codeOf(code: string | undefined, type: string | undefined, message: string): ErrorCode {
  const errorCode = lookUp(codes, code) ?? lookUp(codes, type);
  if (errorCode) return errorCode;
  if (LENGTH.test(message)) return 'context_length_exceeded';
  const word = code ?? type ?? '';
  if (INVALID.test(word) && !OPERATORS.test(word)) return 'invalid_request';
  return OVERLOAD.test(message) ? 'upstream_overloaded' : 'upstream_unavailable';
}
