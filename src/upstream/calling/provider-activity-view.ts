import type { Percentiles } from '../../base/lib/latency-window.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { CallTrouble } from './call-trouble.ts';
import type { FaultCause, ProviderFault } from './provider-fault.ts';

/** `faulty`: some calls fail for a cause that only an operator can correct. Others may succeed. */
export type ProviderHealth = 'up' | 'degraded' | 'faulty' | 'down' | 'drained';

/** The result of the gateway's own probe of a provider. */
export type ProbeResult = {
  at: number;
  outcome: AttemptOutcome;
  latencyMs: number;
  fault?: FaultCause | undefined;
};

/** The activity of a provider, as operators see it. */
export type ProviderActivityView = {
  health: ProviderHealth;
  slotsInUse: number;
  maxConcurrent: number | null;
  /** The time to the first byte, over the latest attempts. `null` means that there was no attempt. */
  latencyMs: Percentiles | null;
  /** The error rate of the last minute, from 0 to 1. */
  errorRate: number;
  requestsTotal: number;
  errorsTotal: number;
  /** The calls that the provider has answered. Canceled calls are neither errors nor successes. */
  successesTotal: number;
  lastErrorAt: number | null;
  /** The latest call that failed, also one whose request the provider refused as invalid. */
  lastError: (CallTrouble & { at: number }) | null;
  /** The time since which the provider has refused the key. `null` means that it accepts the key. */
  keyRefusedSince: number | null;
  /** The cause of failed calls that only an operator can end. `null` means that none is known. */
  fault: ProviderFault | null;
  /** `null` means that no probe was made. */
  lastProbe: ProbeResult | null;
};
