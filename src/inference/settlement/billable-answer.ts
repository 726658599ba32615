import type { FinishedJob } from '../../base/jobs/job.ts';
import type { BodyPiece } from '../../edge/http/reply.ts';
import type { Outcome } from '../../money/ledger/entry.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { FinishedAnswer } from '../../translation/contract/finished-answer.ts';

/** An answer to settle. `usage` is undefined if the upstream did not report it. */
export type BillableAnswer = {
  usage: Usage | undefined;
  /** The whole answer, in a dialect whose answers are stored. Its end has not been sent yet. */
  answer?: FinishedAnswer | undefined;
  /** A whole answer that is ready to be sent. A large answer is in bytes. */
  body?: BodyPiece;
  /** The record of the answer to store. */
  response?: StoredResponse | undefined;
  /** The result for the batch that the request belongs to. */
  job?: FinishedJob;
  /** The end of the answer. The default is complete if the client is still connected. */
  outcome?: Outcome | undefined;
};
