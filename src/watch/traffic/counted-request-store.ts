import type { KeptEntry } from '../../money/ledger/entry-text.ts';

/** The charged requests that one write of a process has counted, and its time in milliseconds. */
export type CountedRequests = { node: string; at: number; requestIds: readonly string[] };

/** An entry of the ledger as it is stored, with its place in the order of writing. */
export type NumberedEntry = KeptEntry & { number: number };

/**
 * The port for the notes of processes about the charged requests that they have counted. The entries of the
 * ledger that no note names are counted after a crash.
 */
export interface CountedRequestStore {
  /** Lists the notes of all processes, the earliest first. */
  listCounted(): Promise<CountedRequests[]>;
  /** Forgets the notes of a process, or only those before a time. */
  forgetCounted(node: string, before?: number): Promise<void>;
  /**
   * Lists entries of the ledger before a number, the latest first. If a node is given, Postgres lists only
   * the entries of that node.
   */
  entriesBefore(number: number | null, node: string | null): Promise<NumberedEntry[]>;
}
