import type { JobLease } from '../../base/jobs/job.ts';
import type { NativeWire } from './native-wire.ts';

/** Items of a batch that were sent to a provider together. */
export type Submission = {
  batch: number;
  provider: string;
  wire: NativeWire;
  upstreamModel: string;
  /** The provider's id. `null` means that the provider has not answered yet. */
  upstreamId: string | null;
  /** A random text that finds the submission at its provider. `null` means that an older version sent it. */
  mark: string | null;
  /** The time before the sending. */
  sentAt: number;
  /** The number of its items. */
  size: number;
};

/** The port for stored submissions. */
export interface NativeStore {
  /**
   * Stores a submission, assigns it to the items and returns its number. Returns undefined if a later attempt
   * has replaced one of the attempts.
   */
  createSubmission(submission: Submission, items: readonly JobLease[]): Promise<number | undefined>;
  /**
   * Stores the provider's id of a submission. Returns false if another node has taken the submission over.
   */
  openSubmission(id: number, upstreamId: string): Promise<boolean>;
  findSubmission(id: number): Promise<Submission | undefined>;
  /** Lists the provider's ids of all submissions to it. */
  listUpstreamIds(provider: string): Promise<string[]>;
  /** Lists the numbers of the submission's items without a result. */
  listItemsAway(id: number): Promise<number[]>;
  /**
   * Closes a submission and detaches its items without a result. Returns false if another node has taken it
   * over.
   */
  closeSubmission(id: number): Promise<boolean>;
  /** Reads the body of an item as sent by the client. */
  readParams(batch: number, number: number): Promise<string | undefined>;
}
