import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { FaultCause } from './provider-fault.ts';

/** A provider's answer to a call that failed, for operators only. */
export type ProviderTrouble = UpstreamError & { fault?: FaultCause | undefined };

/** A provider's answer to a call of a model that failed, for operators only. */
export type CallTrouble = ProviderTrouble & { model: string };
