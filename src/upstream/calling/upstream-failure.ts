import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal, refusedAsInvalid } from '../../base/errors/refusal.ts';
import type { Usage } from '../../translation/canonical/usage.ts';

/** Why an attempt failed, and whether another target may do better. */
export type UpstreamFailure = {
  refusal: Refusal;
  isFinal: boolean;
  /** `canceled`: it says nothing about the upstream. */
  outcome: 'error' | 'timeout' | 'key-refused' | 'canceled';
  /** For the operator's log, and nobody else: without a word of the upstream's own. */
  reason: string;
  /** The call ended since the client had left, and the upstream was at work: what it had said of its usage by then. */
  forsaken?: { usage: Usage | undefined };
};

/** `isFinal`: the request would fare no better elsewhere. `waits`: the upstream may say how long to leave it alone. */
type Meaning = {
  code: ErrorCode;
  isFinal?: true;
  outcome?: UpstreamFailure['outcome'];
  waits?: true;
  message?: string;
};

/**
 * What an upstream's status means for our client; any other is `upstream_unavailable`. That our key is refused is never a client's 401: the
 * key is not theirs.
 */
const byStatus: Readonly<Record<number, Meaning>> = {
  400: { code: 'invalid_request', isFinal: true, message: refusedAsInvalid().message },
  401: { code: 'upstream_unavailable', outcome: 'key-refused' },
  403: { code: 'upstream_unavailable', outcome: 'key-refused' },
  408: { code: 'upstream_timeout', outcome: 'timeout' },
  413: { code: 'request_unprocessable', isFinal: true },
  422: { code: 'request_unprocessable', isFinal: true },
  429: { code: 'upstream_overloaded', waits: true },
  503: { code: 'upstream_overloaded', waits: true },
  504: { code: 'upstream_timeout', outcome: 'timeout' },
  529: { code: 'upstream_overloaded', waits: true },
};
const OTHERWISE: Meaning = { code: 'upstream_unavailable' };

/** Words of the vendors' own errors, by which one 400 is told from another; a parameter's name that has one of them in it must not match. */
const complaints: readonly { status: number; says: RegExp; means: Meaning }[] = [
  {
    status: 400,
    says: new RegExp(
      [
        'content[ _-]?(filter|policy|management)|responsible_?ai|prohibited_content',
        'safety (system|filter|polic|setting)|blocked.{0,40}safety',
      ].join('|'),
      'i',
    ),
    means: { code: 'content_filter', isFinal: true },
  },
  {
    status: 400,
    says: new RegExp(
      [
        'context[ _-]?(length|window|limit)|maximum context',
        '(prompt|input|request) is too long|too many (input )?tokens',
        'exceeds? the (maximum|model|context).{0,40}token|(available|maximum) context size',
        'maximum prompt length|model token limit|reduce the length of (the|your)',
      ].join('|'),
      'i',
    ),
    means: { code: 'context_length_exceeded', isFinal: true },
  },
];

/** An upstream that asks for a longer wait than this is passed on as asking for this much. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** What an upstream's status means for our client. Its text is read for its meaning, and never shown. */
export function failureOfStatus(
  status: number,
  body: string,
  headers: Pick<Headers, 'get'>,
): UpstreamFailure {
  const complaint = complaints.find(({ status: its, says }) => its === status && says.test(body));
  const meaning = complaint?.means ?? byStatus[status] ?? OTHERWISE;
  const { code, isFinal = false, outcome = 'error', waits, message } = meaning;
  const details = { ...(waits && retryAfter(headers)), ...(message !== undefined && { message }) };
  return { refusal: new Refusal(code, details), isFinal, outcome, reason: `status ${status}` };
}

export const timedOut = (reason: string): UpstreamFailure => ({
  refusal: new Refusal('upstream_timeout'),
  isFinal: false,
  outcome: 'timeout',
  reason: `timeout: ${reason}`,
});

/** The upstream said itself, in the middle of an answer, what is wrong. What the client did wrong stays wrong elsewhere. */
export const refusedAnswer = (refusal: Refusal): UpstreamFailure => ({
  refusal,
  isFinal: refusal.status < 500,
  outcome: 'error',
  reason: `an answer that says ${refusal.code}`,
});

/** This machine lacks what a call needs: no fault of the upstream, and another one might be reached. */
export const starved = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { cause }),
  isFinal: false,
  outcome: 'canceled',
  reason: cause.message,
});

export const forsaken = (cause: unknown): UpstreamFailure => ({
  ...broken(cause),
  isFinal: true,
  forsaken: { usage: undefined },
});

/** It is we who have no memory for the answer: no fault of the upstream's, and no other target would find more of it. */
export const noRoomFor = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { retryAfterMs: 1_000 }),
  isFinal: true,
  outcome: 'error',
  reason: cause.message,
});

export const broken = (cause: unknown): UpstreamFailure => ({
  refusal: new Refusal('upstream_unavailable', { cause }),
  isFinal: false,
  outcome: 'error',
  reason: reasonOf(cause),
});

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'an answer that cannot be read'; // its message quotes what cannot be read
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' && !cause.message.includes(code)
    ? `${code}: ${cause.message}`
    : cause.message;
}

function retryAfter(headers: Pick<Headers, 'get'>): { retryAfterMs?: number } {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return { retryAfterMs: Math.min(exact, MAX_RETRY_AFTER_MS) };
  const text = headers.get('retry-after');
  if (text === null) return {};
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clockOf(headers);
  return waitMs > 0 ? { retryAfterMs: Math.min(waitMs, MAX_RETRY_AFTER_MS) } : {};
}

/** The host's own clock, which its dates are by and which may differ from ours by minutes; ours where it does not tell. */
function clockOf(headers: Pick<Headers, 'get'>): number {
  const its = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(its) ? Date.now() : its;
}
