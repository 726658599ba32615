import type { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refusalOf as refusalOfStatus } from '../google/refusal-of.ts';

/**
 * The vendor's other interfaces have these words for the codes of this one:
 * https://ai.google.dev/gemini-api/docs/api-errors
 */
const statuses: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'INVALID_ARGUMENT',
  PARAMETER_UNKNOWN: 'INVALID_ARGUMENT',
  OUT_OF_RANGE: 'INVALID_ARGUMENT',
  RATE_LIMIT_EXCEEDED: 'RESOURCE_EXHAUSTED',
  QUOTA_EXCEEDED: 'RESOURCE_EXHAUSTED',
  OVERLOADED: 'UNAVAILABLE',
  SERVICE_UNAVAILABLE: 'UNAVAILABLE',
  GATEWAY_TIMEOUT: 'DEADLINE_EXCEEDED',
};

/** Codes of answers that a filter has stopped. */
const BLOCKED =
  /safety|recitation|blocklist|blocked|prohibited_content|spii|model_armor|content_filter|content_policy/i;

/**
 * Returns the gateway's refusal for an error of this wire.
 * Its code is a word, or the last part of an address.
 */
export function refusalOf(error: unknown): Refusal {
  const { code, message, ...others } = objectOf(error);
  const word = textOf(code)?.split('/').at(-1)?.toUpperCase() ?? '';
  const status = BLOCKED.test(word) ? 'INVALID_ARGUMENT' : (lookUp(statuses, word) ?? word);
  const text = BLOCKED.test(word) ? `blocked: ${textOf(message) ?? ''}` : message;
  return refusalOfStatus({ ...others, code, status: word === '' ? others.status : status, message: text });
}
