import { promptLengthsIn } from '../../base/errors/prompt-lengths.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { errorIn } from './error-in.ts';
import { isOutOfCredit } from './is-out-of-credit.ts';
import { isCertificateFault } from './provider-fault.ts';
import { NOT_OFFERED, type UpstreamFailure } from './upstream-failure.ts';

/** Returns the failure of an endpoint that the host lacks, which says nothing about the host's health. */
export const missingEndpointFailure = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal(NOT_OFFERED.code, { message: NOT_OFFERED.message }),
  isFinal: false,
  outcome: 'canceled',
});

/**
 * Returns the failure of a model that a client named without a row of the catalog, if its provider does not
 * have it.
 */
export const missingModelFailure = (failure: UpstreamFailure): UpstreamFailure => ({
  ...failure,
  refusal: new Refusal('unknown_model', { param: 'model' }),
  isFinal: true,
  outcome: 'canceled',
});

/** Returns the failure of a call that took too long. `reason` names the phase. */
export const timeoutFailure = (reason: string): UpstreamFailure => ({
  refusal: new Refusal('upstream_timeout'),
  isFinal: false,
  outcome: 'timeout',
  reason: `timeout: ${reason}`,
});

/**
 * Returns the failure for an error that the upstream reports within an answer. A fault of the client's
 * request is final.
 */
export function answerFailure(refusal: Refusal): UpstreamFailure {
  const { cause } = refusal.details;
  const error = cause === undefined ? undefined : errorIn(cause);
  if (error && isOutOfCredit(error))
    return {
      refusal: new Refusal('upstream_unavailable', { cause }),
      isFinal: false,
      outcome: 'error',
      reason: 'error in the answer: no credit',
      error,
      fault: 'out_of_credit',
    };
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
 * Returns the failure for a resource that this machine lacks. The upstream is not at fault, and another one
 * may be reachable.
 */
export const localFailure = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { cause, reason: 'local-resource' }),
  isFinal: false,
  outcome: 'canceled',
  reason: cause.message,
});

/** Returns the failure of a call that ended after its client had left. */
export const abandonedFailure = (cause: unknown): UpstreamFailure => ({
  ...connectionFailure(cause),
  isFinal: true,
  abandoned: { usage: undefined },
});

/**
 * Returns the failure for an answer that does not fit the gateway's memory. The upstream is not at fault, and
 * no other target would help.
 */
export const memoryFailure = (cause: Error): UpstreamFailure => ({
  refusal: new Refusal('capacity_unavailable', { retryAfterMs: 1_000, reason: 'memory' }),
  isFinal: true,
  outcome: 'error',
  reason: cause.message,
});

/** Returns the failure of a call whose connection or answer broke. */
export const connectionFailure = (cause: unknown): UpstreamFailure => ({
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
