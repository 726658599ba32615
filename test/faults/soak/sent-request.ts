import type { Payer } from './draw-request.ts';
import type { ShownUsage } from './soak-dialects.ts';

/**
 * The end of a request for its client. `complete`: with the end of the answer; `left`: the client went before
 * that; `refused`: with a status; `error`: with an error in the stream; `cut`: the connection broke.
 */
export type Ending = 'complete' | 'left' | 'refused' | 'error' | 'cut';

/** A client's record of a request. Times are wall-clock times. */
export type SentRequest = {
  number: number;
  payer: Payer;
  keyId: string;
  sentAt: number;
  endedAt: number;
  ending: Ending;
  /** Undefined if no head arrived. */
  requestId: string | undefined;
  /** The type or status of the error that ended it. */
  error: string | undefined;
  /** Numbers of the choices that were seen to their end. */
  finished: readonly number[];
  /** The length of the received text of each choice, in characters. */
  received: readonly number[];
  usage: ShownUsage | undefined;
};
