import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { FaultCause } from './provider-fault.ts';

/** A provider's answer to a call that failed, for operators only. */
export type CallTrouble = UpstreamError & { model: string; fault?: FaultCause | undefined };
