import { Refusal } from '../../base/errors/refusal.ts';
import { readIdempotencyKey } from '../../edge/http/read-idempotency-key.ts';
import type { ArrivedRequest } from '../request/arrived-request.ts';
import { generatingEndpoints } from './generating-endpoints.ts';

/** The recording that a request asks for. */
export type RecordingOrder = {
  idempotencyKey: string | undefined;
  /** True if retries of SDKs can join the answer. */
  isJoinable: boolean;
  /** True if the request is itself such a retry. */
  isRetry: boolean;
  isResumable: boolean;
};

/** Returns how the answer is recorded, or undefined for an ordinary request. */
export function recordingOrder(arrived: ArrivedRequest): RecordingOrder | Refusal | undefined {
  const { exchange, principal } = arrived;
  const { retries, resumable } = principal.apiKey;
  const { headers } = exchange.request;
  const headerValue = headers.get(exchange.snapshot.names.header.resumable);
  if (retries === 'none' && !resumable && headerValue === null) return undefined;
  const endpoint = generatingEndpoints[exchange.route];
  if (!endpoint) return undefined;
  const isWanted = readResumable(arrived, headerValue);
  if (isWanted instanceof Refusal) return isWanted;
  const isResumable = isWanted && exchange.query.includes(endpoint.framedBy ?? '');
  const idempotencyKey = retries === 'none' ? undefined : readIdempotencyKey(headers);
  if (idempotencyKey instanceof Refusal) return idempotencyKey;
  const isJoinable = retries === 'join';
  if (idempotencyKey === undefined && !isJoinable && !isResumable) return undefined;
  const isRetry =
    isJoinable && idempotencyKey === undefined && Number(headers.get('x-stainless-retry-count') ?? 0) > 0;
  return { idempotencyKey, isJoinable, isRetry, isResumable };
}

function readResumable(
  { exchange, principal, body }: ArrivedRequest,
  headerValue: string | null,
): boolean | Refusal {
  const name = exchange.snapshot.names.header.resumable;
  if (headerValue !== null && headerValue !== 'true' && headerValue !== 'false')
    return new Refusal('invalid_request', { param: name, message: `${name} must be true or false.` });
  const isWanted = headerValue === null ? principal.apiKey.resumable : headerValue === 'true';
  // The stream of a response in the background can be read again without this.
  return isWanted && body.value['stream'] === true && body.value['background'] !== true;
}
