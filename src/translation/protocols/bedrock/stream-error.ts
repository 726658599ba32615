import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refusalForCode } from '../refusal-for-code.ts';

/** The prefix of an event type that reports a failure. */
export const EXCEPTION = 'exception:';

/** Error codes by the exception's type in lower case, since its first letter varies. */
const codes: Readonly<Record<string, ErrorCode>> = {
  throttlingexception: 'upstream_overloaded',
  serviceunavailableexception: 'upstream_overloaded',
  servicequotaexceededexception: 'upstream_overloaded',
  modelnotreadyexception: 'upstream_overloaded',
  modeltimeoutexception: 'upstream_timeout',
};

/** The longest message that a cause keeps. */
const MAX_MESSAGE_LENGTH = 1_000;
const TOO_LONG = /too long|context (length|window)|too many (input )?tokens|maximum.{0,20}tokens/i;
const SAFETY = /content.?(filter|policy)|guardrail|safety/i;

/** Returns the gateway's refusal for a failure. The failure's text decides its meaning. */
export function refusalOf(event: string, data: string): Refusal {
  const type = event.replace(EXCEPTION, '');
  const cause = { type, message: messageIn(data).slice(0, MAX_MESSAGE_LENGTH) };
  return refusalForCode(codeOf(type.toLowerCase(), data), cause);
}

/** Returns the text of an exception's message. An exception in a different form is its own message. */
function messageIn(data: string): string {
  try {
    return textOf(parseObject(data).message) ?? data;
  } catch {
    return data;
  }
}

function codeOf(type: string, data: string): ErrorCode {
  if (type === 'validationexception') {
    if (TOO_LONG.test(data)) return 'context_length_exceeded';
    return SAFETY.test(data) ? 'content_filter' : 'invalid_request';
  }
  return lookUp(codes, type) ?? 'upstream_unavailable';
}

/** Reports whether an event is a failure. Some failures come as events named for their exception. */
export const isException = (event: string): boolean =>
  event.startsWith(EXCEPTION) || /Exception$/.test(event);
