import { errorEnvelope, errorStatus } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from './exchange.ts';
import { noteRefusal } from './note-refusal.ts';
import { jsonReply, type Reply } from './reply.ts';

const DEFAULT_RETRY_MS = 1_000;

/** Converts a refusal into an answer, in the envelope of the address. */
export function refuse(exchange: Exchange, refusal: Refusal): Reply {
  const status = errorStatus(exchange.style, refusal);
  noteRefusal(exchange.notes, refusal);
  return jsonReply(status, errorEnvelope(exchange.style, refusal), {
    [exchange.snapshot.names.header.errorCode]: refusal.code,
    // The connection closes, so that the rest of an unread body is not read as the next request.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...retryHeaders(status, refusal.details.retryAfterMs),
    ...refusal.details.headers,
  });
}

/**
 * Returns headers that guide the SDKs' retries. Some SDKs retry 4xx errors that will fail identically, and
 * 408 correctly. Answers with 429, 503 and 529 say how long to wait.
 */
function retryHeaders(status: number, retryAfterMs: number | undefined): Record<string, string> {
  if (status === 429 || status === 503 || status === 529) {
    const waitMs = Math.max(1, Math.ceil(retryAfterMs ?? DEFAULT_RETRY_MS));
    return { 'retry-after': String(Math.ceil(waitMs / 1_000)), 'retry-after-ms': String(waitMs) };
  }
  return status < 500 && status !== 408 ? { 'x-should-retry': 'false' } : {};
}
