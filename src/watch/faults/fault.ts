import type { FailureCause } from '../../upstream/calling/failure-cause.ts';
import type { UnusableCause } from '../../upstream/calling/unusable-cause.ts';

export type RecordedCause = FailureCause | UnusableCause;

/**
 * The calls of one process that met a fault of a provider. Only that process writes the row, so that a write
 * can be repeated.
 */
export type FaultRow = {
  id: string;
  provider: string;
  cause: RecordedCause;
  /**
   * The provider's name for the model. `null` means that calls of several models, or without a model, failed.
   */
  model: string | null;
  firstAt: number;
  /** The time of the latest failure. `null` means that only other processes have seen failures. */
  lastAt: number | null;
  /** The time of the first success after the latest failure. */
  wellAt: number | null;
  /** The time of a later success. It counts if another process has seen a failure since the first success. */
  seenAt: number | null;
  failures: number;
  /** The failures whose request another target then answered. */
  hidden: number;
  /** True if operators see the fault. A single failure of most causes is not shown. */
  isRaised: boolean;
  /** The times of the latest failures. */
  recent: number[];
  status: number | null;
  /** The provider's own words. */
  message: string | null;
};

/** A fault of a provider, as all processes together have seen it. */
export type JoinedFault = Omit<FaultRow, 'lastAt' | 'seenAt' | 'recent'> & {
  lastAt: number;
  endedAt: number | null;
};

/** A fault ends this long after a success, if no call fails meanwhile. */
export const WELL_FOR_MS = 5 * 60_000;
/** This many failures within `WITHIN_MS` are a fault. */
export const FAILURES = 3;
export const WITHIN_MS = 5 * 60_000;

/** Returns the latest times of failures, as many as make a fault. */
export const latestFailures = (times: readonly number[]): number[] =>
  [...times].sort((a, b) => a - b).slice(-FAILURES);

/** Reports whether failures at these times are a fault. */
export const areFrequent = (times: readonly number[]): boolean =>
  times.length === FAILURES && times.at(-1)! - times[0]! <= WITHIN_MS;
