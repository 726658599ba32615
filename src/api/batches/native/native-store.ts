import type { Wire } from '../../../translation/canonical/wire.ts';

/** Items of a batch that were sent to a provider together. `upstreamId` null: the send was not confirmed. */
export type Submission = {
  batch: number;
  provider: string;
  wire: Wire;
  upstreamModel: string;
  upstreamId: string | null;
};

/** The port for stored submissions. */
export interface NativeStore {
  /** Stores a submission, assigns it to the items and returns its number. */
  createSubmission(submission: Submission, items: readonly number[]): Promise<number>;
  /** Stores the provider's id of a submission. */
  openSubmission(id: number, upstreamId: string): Promise<void>;
  findSubmission(id: number): Promise<Submission | undefined>;
  /** Lists the numbers of the submission's items without a result. */
  listItemsAway(id: number): Promise<number[]>;
  /** Closes a submission and detaches its items without a result. */
  closeSubmission(id: number): Promise<void>;
  /** Reads the body of an item as sent by the client. */
  readParams(batch: number, number: number): Promise<string | undefined>;
}
