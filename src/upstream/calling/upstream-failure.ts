import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { promptLengthsIn } from '../../base/errors/prompt-lengths.ts';
import { Refusal, refusedAsInvalid } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { lacksFeature } from './lacks-feature.ts';
import { causeOfRefusal, type FaultCause, isCertificateFault } from './provider-fault.ts';
import { errorIn, upstreamErrorOf } from './upstream-error-of.ts';

/** The reason why an attempt failed, and whether another target may succeed. */
export type UpstreamFailure = {
  refusal: Refusal;
  /** The HTTP status, if the upstream answered with another one than 200. */
  status?: number;
  isFinal: boolean;
  /** `canceled` says nothing about the upstream. */
  outcome: 'error' | 'timeout' | 'key-refused' | 'canceled';
  /** The reason for the operator's log only. It quotes nothing from the upstream. */
  reason: string;
  /** The cause, if only an operator can end it. */
  fault?: FaultCause;
  /** The upstream's own words, for operators. They are undefined if the upstream sent none. */
  error?: UpstreamError | undefined;
  /**
   * Is set if the call ended after the client left while the upstream was at work. `usage` is the upstream's
   * last report.
   */
  forsaken?: { usage: Usage | undefined };
};

/** `isFinal`: the request would fail at any other target. `waits`: the upstream may say how long to pause. */
type Meaning = {
  code: ErrorCode;
  isFinal?: true;
  outcome?: UpstreamFailure['outcome'];
  waits?: true;
  message?: string;
};

/**
 * The errors that the client gets for an upstream's status. Any other status is `upstream_unavailable`. A
 * refused operator key is never the client's 401.
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
/** The host works, and will refuse the same request again. Another host may offer what it asks for. */
const LACKING: Meaning = {
  code: 'route_not_qualified',
  outcome: 'canceled',
  message: 'The model does not offer what this request asks for.',
};

/**
 * Words of the vendors' own errors that distinguish one 400 from another.
 * A parameter name that contains one of them must not match.
 */
const complaints: readonly { status: number; says: RegExp; means: Meaning }[] = [
  {
    // Some vendors report a refused key, an unpaid account or an old signature with
    // the status of an invalid request.
    status: 400,
    says: /API_KEY_INVALID|API key (not valid|expired)|credit balance is too low|Signature expired|RequestExpired/,
    means: { code: 'upstream_unavailable', outcome: 'key-refused' },
  },
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
        '(prompt|input|request) is too long|too many (input )?tokens|prompt token count of',
        'exceeds? the (maximum|model|context).{0,40}token|(available|maximum) context size',
        'maximum (prompt|model|input) length|model token limit|reduce the length of (the|your)',
        'exceeds the max_model_len|inputs. must have less than|range of input length|prompt cannot exceed',
      ].join('|'),
      'i',
    ),
    means: { code: 'context_length_exceeded', isFinal: true },
  },
  {
    // Text Generation Inference, and hosts that run it
    status: 422,
    says: /inputs. (must have less than|tokens \+ .max_new_tokens. must be)/i,
    means: { code: 'context_length_exceeded', isFinal: true },
  },
  {
    // llama.cpp before September 2025
    status: 500,
    says: /exceed_context_size_error|exceeds the available context size/,
    means: { code: 'context_length_exceeded', isFinal: true },
  },
];

/** The longest pause that an upstream's answer can set. A longer wait is cut to this value. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

/** Returns the failure for an upstream's status. Its text decides the meaning. */
export function failureOfStatus(
  status: number,
  body: string,
  headers: Pick<Headers, 'get'>,
): UpstreamFailure {
  const complaint = complaints.find(({ status: its, says }) => its === status && says.test(body));
  const meaning = complaint?.means ?? lackingFor(status, body) ?? byStatus[status] ?? OTHERWISE;
  const { code, isFinal = false, outcome = 'error', waits, message } = meaning;
  const promptLengths = code === 'context_length_exceeded' ? promptLengthsIn(body) : undefined;
  const details = {
    ...(waits && retryAfter(headers)),
    ...(message !== undefined && { message }),
    ...(promptLengths && { promptLengths }),
  };
  const error = upstreamErrorOf(body, { status, headers });
  return {
    refusal: new Refusal(code, details),
    isFinal,
    outcome,
    reason: `status ${status}`,
    error,
    ...(outcome === 'key-refused' && { fault: causeOfRefusal(body, headers) }),
  };
}

const lackingFor = (status: number, body: string): Meaning | undefined =>
  status === 501 || (status === 404 && lacksFeature(body)) ? LACKING : undefined;

/** Reports whether the host permanently lacks what the request asks for. */
export const isLacking = ({ refusal, isFinal }: UpstreamFailure): boolean =>
  !isFinal && refusal.code === LACKING.code;

const ABSENT = new Set<number | undefined>([404, 405, 501]);

/** Reports whether the host may lack the endpoint that was called. */
export const lacksEndpoint = ({ status }: UpstreamFailure): boolean => ABSENT.has(status);

/** Returns the failure of an endpoint that the host lacks, which says nothing about the host's health. */
export const lackingEndpoint = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal(LACKING.code, { message: LACKING.message! }),
  isFinal: false,
  outcome: 'canceled',
});

/**
 * Returns the failure of a model that a client named without a row of the catalog, if
 * its provider does not have it.
 */
export const lackingModel = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal('unknown_model', { param: 'model' }),
  isFinal: true,
  outcome: 'canceled',
});

export const timedOut = (reason: string): UpstreamFailure => ({
  refusal: new Refusal('upstream_timeout'),
  isFinal: false,
  outcome: 'timeout',
  reason: `timeout: ${reason}`,
});

/**
 * Returns the failure for an error that the upstream reports within an answer.
 * A fault of the client's request is final.
 */
export function refusedAnswer(refusal: Refusal): UpstreamFailure {
  const { cause } = refusal.details;
  const error = cause === undefined ? undefined : errorIn(cause);
  return {
    refusal: refusal.code === 'context_length_exceeded' ? withLengths(refusal, cause) : refusal,
    isFinal: refusal.status < 500,
    outcome: 'error',
    reason: `error in the answer: ${refusal.code}`,
    error,
  };
}

function withLengths(refusal: Refusal, cause: unknown): Refusal {
  const promptLengths = promptLengthsIn(JSON.stringify(cause) ?? '');
  return promptLengths ? new Refusal(refusal.code, { ...refusal.details, promptLengths }) : refusal;
}

/**
 * Returns the failure for a resource that this machine lacks.
 * The upstream is not at fault, and another one may be reachable.
 */
export const starved = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { cause, reason: 'local-resource' }),
  isFinal: false,
  outcome: 'canceled',
  reason: cause.message,
});

export const forsaken = (cause: unknown): UpstreamFailure => ({
  ...broken(cause),
  isFinal: true,
  forsaken: { usage: undefined },
});

/**
 * Returns the failure for an answer that does not fit the gateway's memory.
 * The upstream is not at fault, and no other target would help.
 */
export const noMemoryFor = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { retryAfterMs: 1_000, reason: 'memory' }),
  isFinal: true,
  outcome: 'error',
  reason: cause.message,
});

export const broken = (cause: unknown): UpstreamFailure => ({
  refusal: new Refusal('upstream_unavailable', { cause }),
  isFinal: false,
  outcome: 'error',
  reason: reasonOf(cause),
  ...(isCertificateFault(cause) && { fault: 'certificate' }),
});

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'unreadable answer'; // its message quotes the unreadable text
  if (!(cause instanceof Error)) return String(cause);
  const code = codeOfError(cause);
  return code !== undefined && !cause.message.includes(code) ? `${code}: ${cause.message}` : cause.message;
}

function retryAfter(headers: Pick<Headers, 'get'>): { retryAfterMs?: number } {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return { retryAfterMs: Math.min(exact, MAX_RETRY_AFTER_MS) };
  const text = headers.get('retry-after');
  if (text === null) return {};
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clockOf(headers);
  return waitMs > 0 ? { retryAfterMs: Math.min(waitMs, MAX_RETRY_AFTER_MS) } : {};
}

/**
 * Returns the host's own clock, on which its dates are based and which may be minutes off. The result is the
 * gateway's clock if the host sends no date.
 */
function clockOf(headers: Pick<Headers, 'get'>): number {
  const its = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(its) ? Date.now() : its;
}
