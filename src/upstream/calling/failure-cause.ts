import type { AttemptOutcome } from './attempt-outcome.ts';
import { CLOCK_REMEDY, type FaultCause, faultRemedies } from './provider-fault.ts';

/** The causes by which failed calls are grouped in records and alerts. */
export const failureCauses = [
  'key_refused',
  'out_of_credit',
  'unreachable',
  'timeout',
  'not_found',
  'rate_limited',
  'overloaded',
  'malformed',
  'clock_skew',
  'failing',
] as const;

/** The reason of a failed call to a provider, in one word. */
export type FailureCause = (typeof failureCauses)[number];

/** A failed call, as its provider and the gateway have described it. */
export type FailedCall = {
  outcome: AttemptOutcome;
  fault?: FaultCause | undefined;
  status?: number | null | undefined;
  message?: string | null | undefined;
};

const byStatus: Readonly<Record<number, FailureCause>> = {
  404: 'not_found',
  408: 'timeout',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** The gateway's own words for an answer that it cannot use. */
const UNUSABLE = /^(unreadable|unexpected) answer/;

/** Returns the cause of a failed call. A call without a status got no answer. */
export function causeOfFailure({ outcome, fault, status, message }: FailedCall): FailureCause {
  if (fault === 'clock_skew' || fault === 'out_of_credit') return fault;
  if (outcome === 'key-refused') return 'key_refused';
  if (fault === 'certificate') return 'unreachable';
  if (outcome === 'timeout') return 'timeout';
  if (UNUSABLE.test(message ?? '')) return 'malformed';
  if (status === null || status === undefined) return 'unreachable';
  return byStatus[status] ?? 'failing';
}

/** The step that ends failures of each cause. */
export const failureRemedies: Readonly<Record<FailureCause, string>> = {
  key_refused: 'Replace the key of the provider, and check that its account may use the model.',
  out_of_credit: faultRemedies.out_of_credit,
  unreachable: 'Check the address of the provider, its certificate, and the network between.',
  timeout: 'Check the load of the provider, or raise its timeouts.',
  not_found: 'Correct the name of the model in its route, or the address of the provider.',
  rate_limited: "Raise the account's limit at the provider, or set max_concurrent.",
  overloaded: 'Wait until the provider has capacity, or add another route to the model.',
  malformed: 'Check the wire of the provider. Its answers do not have the form of that protocol.',
  clock_skew: CLOCK_REMEDY,
  failing: "Look at the provider's status page, and add another route to the model.",
};
