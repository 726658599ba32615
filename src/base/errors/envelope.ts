import type { Refusal } from './refusal.ts';

/** Which of the two error envelopes an address answers with. */
export type EnvelopeStyle = 'messages' | 'openai';

type ErrorType = { messages: string; openai: string };

const SAME = (type: string): ErrorType => ({ messages: type, openai: type });
const invalidRequest = SAME('invalid_request_error');
const serverError: ErrorType = { messages: 'api_error', openai: 'server_error' };

const typeByStatus: Record<number, ErrorType> = {
  401: SAME('authentication_error'),
  402: SAME('billing_error'),
  403: SAME('permission_error'),
  429: SAME('rate_limit_error'),
  529: SAME('overloaded_error'),
};

export const errorType = (style: EnvelopeStyle, status: number): string =>
  (typeByStatus[status] ?? (status >= 500 ? serverError : invalidRequest))[style];

/** Codes that mean a shortage of capacity: the messages dialect has a status of its own for it. */
const shortages = new Set<string>(['capacity_unavailable', 'upstream_overloaded']);

export const errorStatus = (style: EnvelopeStyle, refusal: Refusal): number =>
  style === 'messages' && shortages.has(refusal.code) ? 529 : refusal.status;

export function errorEnvelope(style: EnvelopeStyle, refusal: Refusal): Record<string, unknown> {
  const { code, message, param } = refusal;
  const type = errorType(style, errorStatus(style, refusal));
  const fields = refusal.details.fields;
  if (style === 'openai') return { error: { type, code, message, param, ...fields } };
  // This envelope has no `param`: the path goes first in the message.
  const text = param === null || message.startsWith(param) ? message : `${param}: ${message}`;
  return { type: 'error', error: { type, code, message: text, ...fields } };
}
