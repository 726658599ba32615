import type { CircuitState } from './circuit.ts';
import type { TargetHealth } from './target-health.ts';

/** One target, as the operator sees it. */
export type TargetView = {
  /** The provider's own name for the model. */
  model: string;
  circuit: CircuitState;
  /** The time until the target is tried again. 0 if it may be tried now. */
  pauseLeftMs: number;
  inFlight: number;
  /** The share of failures among the latest attempts, from 0 to 1. Old attempts fade. */
  errorShare: number;
  /**
   * The mean time until an answer begins, weighted to the latest. `null` means that there are too few values.
   */
  firstByteMs: { whole: number | null; stream: number | null };
};

/** Describes the health of a target to operators. */
export const targetView = (model: string, health: TargetHealth, now: number): TargetView => ({
  model,
  circuit: health.circuit.state(now),
  pauseLeftMs: Math.round(health.circuit.pauseLeftMs(now)),
  inFlight: health.inFlight,
  errorShare: Math.round(health.failureShare * 10_000) / 10_000,
  firstByteMs: {
    whole: rounded(health.firstByteMs('whole')),
    stream: rounded(health.firstByteMs('stream')),
  },
});

const rounded = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms * 10) / 10;
