import type { Refusal } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { FaultCause } from './provider-fault.ts';

/** The reason why an attempt failed, and whether another target may succeed. */
export type UpstreamFailure = {
  refusal: Refusal;
  /** The HTTP status, if the upstream answered with a status other than 200. */
  status?: number;
  isFinal: boolean;
  /** `canceled` says nothing about the upstream. */
  outcome: Exclude<AttemptOutcome, 'ok'>;
  /** The reason for the operator's log only. It quotes nothing from the upstream. */
  reason: string;
  /** The cause, if only an operator can end it. */
  fault?: FaultCause;
  /** The upstream's own words, for operators. Undefined if the upstream sent none. */
  error?: UpstreamError | undefined;
  /**
   * The upstream's last report of usage, if the call ended after the client left while the upstream was at
   * work.
   */
  abandoned?: { usage: Usage | undefined };
};

/** Reports whether a call ended in a failure and not in an answer. */
export const isUpstreamFailure = (result: unknown): result is UpstreamFailure =>
  typeof result === 'object' && result !== null && 'isFinal' in result;

/** The error of a request that asks for something that the host does not offer. */
export const NOT_OFFERED = {
  code: 'route_not_qualified',
  message: 'The model does not offer what this request asks for.',
} as const;

/** Reports whether the host permanently lacks what the request asks for. */
export const isLacking = ({ refusal, isFinal }: UpstreamFailure): boolean =>
  !isFinal && refusal.code === NOT_OFFERED.code;

const ABSENT = new Set<number | undefined>([404, 405, 501]);

/** Reports whether the host may lack the endpoint that was called. */
export const lacksEndpoint = ({ status }: UpstreamFailure): boolean => ABSENT.has(status);
