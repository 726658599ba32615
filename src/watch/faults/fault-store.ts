import type { FaultRow } from './fault.ts';

/** Keeps what all processes have seen of the faults of providers. */
export interface FaultStore {
  /** Writes rows. A later row with the same id replaces an earlier one. */
  saveFaults(rows: readonly FaultRow[]): Promise<void>;
  /** Lists the rows that had no success before a time after their latest failure, the latest first. */
  openFaults(wellAfter: number): Promise<FaultRow[]>;
  /** Lists all rows, the latest first. */
  listFaults(limit: number): Promise<FaultRow[]>;
  /**
   * Removes rows whose latest time is before `before`.
   * Rows that operators do not see go from `unraisedBefore` on.
   */
  sweepFaults(times: { before: number; unraisedBefore: number }): Promise<void>;
}
