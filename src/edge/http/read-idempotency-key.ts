import { Refusal } from '../../base/errors/refusal.ts';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 200;

/** Reads the idempotency key of a creation. Returns undefined if the request has no such header. */
export function readIdempotencyKey(headers: Headers): string | undefined | Refusal {
  const key = headers.get(HEADER);
  if (key === null) return undefined;
  if (key.length >= 1 && key.length <= MAX_LENGTH) return key;
  return new Refusal('invalid_request', {
    param: HEADER,
    message: `${HEADER} must have 1 to ${MAX_LENGTH} characters, and has ${key.length}.`,
  });
}
