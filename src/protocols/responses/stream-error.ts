import type { ErrorCode } from '../../errors/catalogue.ts';
import { Refusal } from '../../errors/refusal.ts';
import { objectOf, textOf } from '../read-json.ts';

const codes: Record<string, ErrorCode> = {
  context_length_exceeded: 'context_length_exceeded',
  content_filter: 'content_filter',
  content_policy_violation: 'content_filter',
  image_content_policy_violation: 'content_filter',
  invalid_prompt: 'content_filter', // how this vendor names a prompt that breaks its policy
  bio_policy: 'content_filter',
  misalignment: 'content_filter',
  rate_limit_exceeded: 'upstream_overloaded',
  rate_limit_error: 'upstream_overloaded',
  overloaded_error: 'upstream_overloaded',
  server_is_overloaded: 'upstream_overloaded',
  slow_down: 'upstream_overloaded',
  timeout: 'upstream_timeout',
};

const LENGTH = /context (length|window)|prompt is too long|maximum context/i;
const OVERLOAD = /overloaded|rate limit/i;

/** The upstream's error in a word of ours. Its text is read for its meaning and kept for the log only. */
export function refusalOf(error: unknown): Refusal {
  const { code, type, message } = objectOf(error);
  return new Refusal(codeOf(textOf(code), textOf(type), textOf(message) ?? ''), { cause: error });
}

function codeOf(code: string | undefined, type: string | undefined, message: string): ErrorCode {
  const known = codes[code ?? ''] ?? codes[type ?? ''];
  if (known) return known;
  if (LENGTH.test(message)) return 'context_length_exceeded';
  return OVERLOAD.test(message) ? 'upstream_overloaded' : 'upstream_unavailable';
}
