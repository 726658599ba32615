import type { CircuitState, TargetHealth } from './target-health.ts';

/** One target as the operator sees it. */
export type TargetView = {
  /** The provider's own name of it. */
  model: string;
  circuit: CircuitState;
  /** Until it is tried again; 0 when it may be now. */
  pauseLeftMs: number;
  inFlight: number;
  /** Of the latest attempts, 0 to 1; old ones fade. */
  errorShare: number;
  /** Until an answer begins, the latest counting most; null when too few are known. */
  firstByteMs: { whole: number | null; stream: number | null };
};

export const targetView = (model: string, health: TargetHealth, now: number): TargetView => ({
  model,
  circuit: health.circuit(now),
  pauseLeftMs: Math.round(health.pauseLeftMs(now)),
  inFlight: health.inFlight,
  errorShare: Math.round(health.failureShare * 10_000) / 10_000,
  firstByteMs: {
    whole: rounded(health.firstByteMs('whole')),
    stream: rounded(health.firstByteMs('stream')),
  },
});

const rounded = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms * 10) / 10;
