import { promptLengthsIn } from '../../base/errors/prompt-lengths.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { errorIn } from './error-in.ts';
import { type FaultCause, isCertificateFault } from './provider-fault.ts';

/** The reason why an attempt failed, and whether another target may succeed. */
export type UpstreamFailure = {
  refusal: Refusal;
  /** The HTTP status, if the upstream answered with another one than 200. */
  status?: number;
  isFinal: boolean;
  /** `canceled` says nothing about the upstream. */
  outcome: Exclude<AttemptOutcome, 'ok'>;
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

/** Reports whether a call ended in a failure and not in an answer. */
export const isUpstreamFailure = (result: unknown): result is UpstreamFailure =>
  typeof result === 'object' && result !== null && 'isFinal' in result;

/** The error of a request that asks for something that the host does not offer. */
export const LACKING_CODE = 'route_not_qualified';
/** The message of that error. */
export const LACKING_MESSAGE = 'The model does not offer what this request asks for.';

/** Reports whether the host permanently lacks what the request asks for. */
export const isLacking = ({ refusal, isFinal }: UpstreamFailure): boolean =>
  !isFinal && refusal.code === LACKING_CODE;

const ABSENT = new Set<number | undefined>([404, 405, 501]);

/** Reports whether the host may lack the endpoint that was called. */
export const lacksEndpoint = ({ status }: UpstreamFailure): boolean => ABSENT.has(status);

/** Returns the failure of an endpoint that the host lacks, which says nothing about the host's health. */
export const lackingEndpoint = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal(LACKING_CODE, { message: LACKING_MESSAGE }),
  isFinal: false,
  outcome: 'canceled',
});

/**
 * Returns the failure of a model that a client named without a row of the catalog, if its provider does not
 * have it.
 */
export const lackingModel = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal('unknown_model', { param: 'model' }),
  isFinal: true,
  outcome: 'canceled',
});

/** Returns the failure of a call that took too long. `reason` names the phase. */
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

/** Returns the failure of a call that ended after its client had left. */
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

/** Returns the failure of a call whose connection or answer broke. */
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
