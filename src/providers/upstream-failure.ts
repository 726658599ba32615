import { Refusal } from '../errors/refusal.ts';

/** Why an attempt failed, and whether another target may do better. */
export type UpstreamFailure = { refusal: Refusal; isFinal: boolean; outcome: 'error' | 'timeout' };

const failure = (refusal: Refusal, isFinal = false): UpstreamFailure => ({
  refusal,
  isFinal,
  outcome: 'error',
});

/** Words of the vendors' own errors; a parameter's name that has one of them in it must not match. */
const LENGTH = new RegExp(
  [
    'context[ _-]?(length|window|limit)|maximum context',
    '(prompt|input|request) is too long|too many (input )?tokens',
    'exceeds? the (maximum|model|context).{0,40}token',
  ].join('|'),
  'i',
);
const SAFETY =
  /content[ _-]?(filter|policy|management)|responsible_?ai|safety (system|filter|polic|setting)|blocked.{0,40}safety|prohibited_content/i;

/** An upstream that asks for a longer wait than this is passed on as asking for this much. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** What an upstream's status means for our client. Its text is read for its meaning, and never shown. */
export function failureOfStatus(status: number, body: string, headers: Headers): UpstreamFailure {
  if (status === 400) {
    if (SAFETY.test(body)) return failure(new Refusal('content_filter'), true);
    if (LENGTH.test(body)) return failure(new Refusal('context_length_exceeded'), true);
    return failure(
      new Refusal('invalid_request', { message: 'The model refused the request as not valid.' }),
      true,
    );
  }
  if (status === 413 || status === 422) return failure(new Refusal('request_unprocessable'), true);
  if (status === 429 || status === 503 || status === 529) {
    return failure(new Refusal('upstream_overloaded', retryAfter(headers)));
  }
  if (status === 408 || status === 504)
    return { ...failure(new Refusal('upstream_timeout')), outcome: 'timeout' };
  return failure(new Refusal('upstream_unavailable'));
}

export const timedOut = (): UpstreamFailure => ({
  ...failure(new Refusal('upstream_timeout')),
  outcome: 'timeout',
});

/** The upstream said itself, in the middle of an answer, what is wrong. What the client did wrong stays wrong elsewhere. */
export const refusedAnswer = (refusal: Refusal): UpstreamFailure => failure(refusal, refusal.status < 500);

export const broken = (cause: unknown): UpstreamFailure =>
  failure(new Refusal('upstream_unavailable', { cause }));

function retryAfter(headers: Headers): { retryAfterMs?: number } {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return { retryAfterMs: Math.min(exact, MAX_RETRY_AFTER_MS) };
  const text = headers.get('retry-after');
  if (text === null) return {};
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return waitMs > 0 ? { retryAfterMs: Math.min(waitMs, MAX_RETRY_AFTER_MS) } : {};
}
