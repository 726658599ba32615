import type { Wire } from '../../../translation/canonical/wire.ts';

/** Requests of a batch that went to a provider together. `upstreamId` null: whether they did is not known. */
export type Submission = {
  batch: number;
  provider: string;
  wire: Wire;
  upstreamModel: string;
  upstreamId: string | null;
};

/** Where it is kept which items are at which provider. */
export interface NativeStore {
  /** Gives it a number, and that to the items. */
  createSubmission(submission: Submission, items: readonly number[]): Promise<number>;
  /** The provider has it, under this id. */
  openSubmission(id: number, upstreamId: string): Promise<void>;
  findSubmission(id: number): Promise<Submission | undefined>;
  /** The numbers of those of its items that have no result yet. */
  listItemsAway(id: number): Promise<number[]>;
  /** Nothing more comes of it: its items that have no result are nobody's. */
  closeSubmission(id: number): Promise<void>;
  /** An item's request, as it was sent. */
  readParams(batch: number, number: number): Promise<string | undefined>;
}
