import type { FaultRow } from './fault.ts';

/** Keeps what all processes have seen of the faults of providers. */
export interface FaultStore {
  /** Writes rows. A later row with the same id replaces an earlier one. */
  saveFaults(rows: readonly FaultRow[]): Promise<void>;
  /**
   * Lists at most 1,000 rows whose first success after the latest failure is missing or later than
   * `wellAfter`, the latest row first.
   */
  openFaults(wellAfter: number): Promise<FaultRow[]>;
  /** Lists at most `limit` rows, the latest first. */
  listFaults(limit: number): Promise<FaultRow[]>;
  /**
   * Removes rows whose latest time is before `before`. Rows that operators do not see are removed if it is
   * before `unraisedBefore`.
   */
  sweepFaults(times: { before: number; unraisedBefore: number }): Promise<void>;
}
