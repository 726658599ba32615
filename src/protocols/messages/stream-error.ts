import type { ErrorCode } from '../../errors/catalogue.ts';
import { Refusal } from '../../errors/refusal.ts';
import { objectOf, textOf } from '../read-json.ts';

const codes: Record<string, ErrorCode> = {
  overloaded_error: 'upstream_overloaded',
  rate_limit_error: 'upstream_overloaded',
  timeout_error: 'upstream_timeout',
};

const LENGTH = /too long|context (length|window|limit)|exceeds? (the )?(maximum|limit)/i;
const SAFETY = /content filter|safety|usage polic/i;

/** An error in place of an event. Its text is read for its meaning and kept for the log only. */
export function refusalOf(error: unknown): Refusal {
  const { type, message } = objectOf(error);
  return new Refusal(codeOf(textOf(type) ?? '', textOf(message) ?? ''), { cause: error });
}

function codeOf(type: string, message: string): ErrorCode {
  if (type === 'invalid_request_error' && LENGTH.test(message)) return 'context_length_exceeded';
  if (SAFETY.test(message)) return 'content_filter';
  return codes[type] ?? 'upstream_unavailable';
}
