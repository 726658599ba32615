import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { HeaderReader } from '../../base/lib/header-reader.ts';
import { errorIn } from './error-in.ts';
import { unknownError } from './unknown-error.ts';

type Head = { status?: number; headers?: HeaderReader };

/** The headers in which vendors send the id of a request. */
const ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-amzn-requestid',
  'apim-request-id',
  'x-goog-request-id',
  'cf-ray',
];

/**
 * Returns what the body of an upstream's error says. A body that is no JSON object is quoted as the message.
 */
export function upstreamErrorOf(body: string, { status, headers }: Head): UpstreamError {
  const value = parse(body);
  const error = value === undefined ? unknownError({ message: body.trim() || null }) : errorIn(value);
  error.status = status ?? error.status;
  error.type ??= typeInHeaders(headers);
  error.requestId ??= idInHeaders(headers);
  return error;
}

/** Parses an object or a list. Returns undefined for any other text. */
function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function idInHeaders(headers: Head['headers']): string | null {
  for (const name of ID_HEADERS) {
    const id = headers?.get(name);
    if (id) return id;
  }
  return null;
}

const typeInHeaders = (headers: Head['headers']): string | null =>
  headers?.get('x-amzn-errortype')?.split(':')[0] ?? null;
