import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { RefusalDetails } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import type { BillingBounds } from '../canonical/bound-usage.ts';
import type { TextFamily } from '../canonical/estimator.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { PlainLabel } from './answer-label.ts';
import type { FinishedAnswer } from './finished-answer.ts';
import type { AnswerRequest } from './inference-request.ts';

/** The data of which a thread makes the estimator of an answer. */
type PlainEstimate = {
  input: number;
  maxText: number | undefined;
  family: TextFamily;
  bounds: BillingBounds | undefined;
};

/**
 * The data that a thread needs to turn an upstream's answer into the client's. It is plain data, without the
 * prompt.
 */
export type LargeAnswerOrder = {
  /** The upstream path of the client's own dialect. It identifies the dialect. */
  dialect: string;
  /** The wire that took the request untranslated, if it is not the dialect's own wire. */
  otherWire: Wire | undefined;
  /** The wire that the answer is translated from. Undefined if the upstream speaks the client's protocol. */
  from: Wire | undefined;
  /** The request's body without its turns. */
  value: JsonObject;
  request: AnswerRequest;
  canonical: CanonicalRequest | undefined;
  createdAt: number;
  label: PlainLabel;
  /** The mark for reasoning that the upstream's account encrypted, if a mark is needed. */
  mark: string | undefined;
  estimate: PlainEstimate;
};

/** An answer as the client receives it, in UTF-8. `answer` is absent if it is too long to be stored. */
export type LargeAnswer = {
  bytes: Uint8Array<ArrayBuffer>;
  usage: Usage;
  answer?: FinishedAnswer;
  /** The type of an answer that is not JSON. */
  contentType?: string;
};

/** A message to the thread. The pieces of an answer come first, and its order comes last. */
export type LargeAnswerMessage = { piece: Uint8Array } | { order: LargeAnswerOrder };

/** The thread's reply. `broken`: the text is not an answer. */
export type LargeAnswerReply =
  | { kind: 'made'; made: LargeAnswer }
  | { kind: 'refused'; code: ErrorCode; details: RefusalDetails }
  | { kind: 'broken'; message: string };
