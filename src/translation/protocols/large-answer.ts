import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { RefusalDetails } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import type { BillingBounds } from '../canonical/bound-usage.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { AnswerLabel } from './answer-label.ts';
import type { FinishedAnswer } from './codec.ts';
import type { InferenceRequest } from './inference-request.ts';

/** What a thread has to know to turn an upstream's answer into the client's. Plain data, without the prompt. */
export type LargeAnswerOrder = {
  /** The wire of the client's own dialect, which names the dialect. */
  dialect: Wire;
  /** The wire that the answer is translated from; undefined where the upstream speaks the client's own protocol. */
  from: Wire | undefined;
  /** The request's body without its turns. */
  value: JsonObject;
  request: Pick<InferenceRequest, 'model' | 'stream' | 'answers'>;
  canonical: CanonicalRequest | undefined;
  createdAt: number;
  label: Omit<AnswerLabel, 'estimate'>;
  /** The mark for what the upstream's account sealed, if it needs one. */
  mark: string | undefined;
  estimate: {
    input: number;
    mostText: number | undefined;
    family: { vocabulary: string; textFactor: number };
    bounds: BillingBounds | undefined;
  };
};

/** An answer as it goes to the client, in UTF-8. `answer` is left out where it is too long to be kept. */
export type LargeAnswer = { bytes: Uint8Array<ArrayBuffer>; usage: Usage; answer?: FinishedAnswer };

/** The last of an answer's messages to the thread carries the order, and those before it the pieces. */
export type LargeAnswerMessage = { piece: Uint8Array } | { order: LargeAnswerOrder };

export type LargeAnswerReply =
  | { kind: 'made'; made: LargeAnswer }
  | { kind: 'refused'; code: ErrorCode; details: RefusalDetails }
  | { kind: 'broken'; message: string };
