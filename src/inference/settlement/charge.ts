import type { FinishedJob } from '../../base/jobs/job.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Outcome } from '../../money/ledger/entry.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { FinishedAnswer } from '../../translation/protocols/codec.ts';

/** What an answered request has used. `usage` undefined: the upstream did not say. */
export type Charge = {
  exchange: Exchange;
  usage: Usage | undefined;
  /** In a dialect whose answers are kept: the whole answer, which has not been sent to its end. */
  answer?: FinishedAnswer | undefined;
  /** A whole answer as it is about to be sent; a large one is in bytes. */
  body?: string | Uint8Array;
  /** What is kept of it. */
  response?: StoredResponse | undefined;
  /** What it is to the batch that it belongs to. */
  job?: FinishedJob;
  /** How the answer ended; unless said, complete where its client is still there. */
  outcome?: Outcome | undefined;
};

/** Makes a charge final. An answer's last byte leaves only when this has returned. */
export type Settle = (charge: Charge) => void | Promise<void>;

/** Is told by whom to ask what an answer has used so far. */
export type UsageWatch = {
  watch(usageSoFar: () => Usage): void;
  /** The client has left: what goes on is for its usage alone. */
  left(): void;
};
