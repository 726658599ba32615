import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { FaultCause } from './provider-fault.ts';

/** The error with which a provider answered a call. Only operators see it. */
export type ProviderTrouble = UpstreamError & { fault?: FaultCause | undefined };

/** The error of a call that named a model. */
export type CallTrouble = ProviderTrouble & { model: string };
