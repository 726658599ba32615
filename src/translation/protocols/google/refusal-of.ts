import type { ErrorCode } from '../../../base/errors/catalogue.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { numberIn, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refusalForCode } from '../refusal-for-code.ts';

const codesByWord: Readonly<Record<string, ErrorCode>> = {
  RESOURCE_EXHAUSTED: 'upstream_overloaded',
  UNAVAILABLE: 'upstream_overloaded',
  DEADLINE_EXCEEDED: 'upstream_timeout',
};
const codesByNumber: Readonly<Record<number, ErrorCode>> = {
  429: 'upstream_overloaded',
  503: 'upstream_overloaded',
  504: 'upstream_timeout',
};

const TOO_LONG = /context|too long|exceeds the maximum number of tokens|token count/i;
/** The vendor reports an unknown key with the status of an invalid request. */
const KEY = /api.?key/i;
const SAFETY = /safety|prohibited|blocked/i;

/** Returns the gateway's refusal for an error chunk. */
export function refusalOf(error: unknown): Refusal {
  const { status, code, message } = objectOf(error);
  return refusalForCode(codeOf(textOf(status) ?? '', numberIn(code), textOf(message) ?? ''), error);
}

/** Reads an invalid request by its message, since the vendor has one status for many causes. */
function codeOf(status: string, number: number, message: string): ErrorCode {
  if (status === 'INVALID_ARGUMENT' || number === 400) {
    if (TOO_LONG.test(message)) return 'context_length_exceeded';
    if (SAFETY.test(message)) return 'content_filter';
    if (!KEY.test(message)) return 'invalid_request';
  }
  return lookUp(codesByWord, status) ?? codesByNumber[number] ?? 'upstream_unavailable';
}
