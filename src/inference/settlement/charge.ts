import type { FinishedJob } from '../../base/jobs/job.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Outcome } from '../../money/ledger/entry.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { FinishedAnswer } from '../../translation/protocols/codec.ts';

/** The usage of an answered request. `usage` is undefined if the upstream did not report it. */
export type Charge = {
  exchange: Exchange;
  usage: Usage | undefined;
  /** The whole answer, in a dialect whose answers are stored. Its end has not been sent yet. */
  answer?: FinishedAnswer | undefined;
  /** A whole answer that is ready to be sent. A large answer is in bytes. */
  body?: string | Uint8Array;
  /** The record of the answer to store. */
  response?: StoredResponse | undefined;
  /** The result for the batch that the request belongs to. */
  job?: FinishedJob;
  /** How the answer ended. The default is complete if the client is still connected. */
  outcome?: Outcome | undefined;
};

/** Makes a charge final. The last byte of an answer is sent only after this returns. */
export type Settle = (charge: Charge) => void | Promise<void>;

/** Receives the source of an answer's usage so far. */
export type UsageWatch = {
  watch(usageSoFar: () => Usage): void;
  /** Records that the client has left. From then on the answer is read for its usage only. */
  left(): void;
};
