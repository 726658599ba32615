import type { AttemptOutcome } from './attempt-outcome.ts';
import type { ProviderTrouble } from './call-trouble.ts';
import type { EndedCall } from './fault-watch.ts';
import type { ProviderFault } from './provider-fault.ts';

/**
 * Learns once that a fault that only an operator can end has become alarming, and once, by null, that it has
 * ended.
 */
export type FaultObserver = (providerId: string, fault: ProviderFault | null) => void;

/** Observes the first of several refusals of the operator's key in a row. A probe knows no details. */
export type RefusalObserver = (
  providerId: string,
  trouble: (ProviderTrouble & { model?: string }) | undefined,
) => void;

/** Observes the end of each call that says something about its provider. */
export type CallObserver = (providerId: string, call: EndedCall) => void;

/** Observes the end of each call of a provider's batch API. */
export type BatchCallObserver = (
  providerId: string,
  outcome: AttemptOutcome,
  trouble?: ProviderTrouble,
) => void;
