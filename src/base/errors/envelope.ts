import { googleError, googleStatus } from './google-error.ts';
import type { Refusal } from './refusal.ts';

/** The error envelope of an address: one of three styles. */
export type EnvelopeStyle = 'messages' | 'openai' | 'google';

type ErrorType = { messages: string; openai: string };

const sameType = (type: string): ErrorType => ({ messages: type, openai: type });
const invalidRequest = sameType('invalid_request_error');
const serverError: ErrorType = { messages: 'api_error', openai: 'server_error' };

const typeByStatus: Readonly<Record<number, ErrorType>> = {
  401: sameType('authentication_error'),
  402: sameType('billing_error'),
  403: sameType('permission_error'),
  429: sameType('rate_limit_error'),
  529: sameType('overloaded_error'),
};

/** Returns the type of an error in the words of a style. */
export function errorType(style: EnvelopeStyle, status: number): string {
  if (style === 'google') return googleStatus(status);
  const otherwise = status >= 500 ? serverError : invalidRequest;
  return (typeByStatus[status] ?? otherwise)[style];
}

/** Codes for a lack of capacity. The messages dialect answers them with status 529. */
const shortages = new Set<string>(['capacity_unavailable', 'upstream_overloaded']);

/** Returns the HTTP status of a refusal in a style. */
export const errorStatus = (style: EnvelopeStyle, refusal: Refusal): number =>
  style === 'messages' && shortages.has(refusal.code) ? 529 : refusal.status;

/** Builds the body of a refused request. */
export function errorEnvelope(style: EnvelopeStyle, refusal: Refusal): Record<string, unknown> {
  if (style === 'google') return googleError(refusal);
  const { code, message, param } = refusal;
  const type = errorType(style, errorStatus(style, refusal));
  const fields = refusal.details.fields;
  if (style === 'openai') return { error: { type, code, message, param, ...fields } };
  // This envelope has no `param`, so the message starts with the path.
  const text = param === null || message.startsWith(param) ? message : `${param}: ${message}`;
  return { type: 'error', error: { type, code, message: text, ...fields } };
}
