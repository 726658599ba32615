import type { JsonBody } from '../../base/json/json-body.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { MeteredAsk } from '../canonical/metered.ts';
import type { CallPrice, PriceName } from '../canonical/price-name.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Reserved } from '../members/reserved.ts';

/**
 * A whole answer that is not JSON: text in a format of its own, or bytes that are sent on while they arrive.
 */
export type WholeAnswerForm = 'text' | 'bytes';

/** The facts about a request that decide the form of its answer. */
export type AnswerRequest = {
  model: string;
  stream: boolean;
  /** The form of a whole answer that is not JSON. */
  answerForm?: WholeAnswerForm;
  /** The quantities that the request asks for at a metered endpoint. */
  metered?: MeteredAsk;
  /** The key that can send back the tokens that the answer has. */
  keyId?: string;
  /** The number of answers to all prompts together. Default: 1. */
  answers?: number;
};

/** The facts that the gateway needs about a request, whichever dialect it uses. */
export type InferenceRequest = AnswerRequest & {
  body: JsonBody;
  /** The number of independent prompts. Default: 1. */
  prompts?: number;
  /** The number of answers that the model writes if only the best of them are returned. */
  written?: number;
  /** The number of texts that may each fill the window, as with the inputs of embeddings. Default: 1. */
  texts?: number;
  /** Members that the answer repeats, although the model's provider does not get them. */
  echo?: Readonly<Record<string, unknown>>;
  /** The canonical request, if reading the body required decoding it. */
  canonical?: CanonicalRequest;
  /** The losses from members that were removed before any target was chosen. */
  losses?: readonly LossCode[];
  /** The body's value before any member was removed, for refusals that name its members. */
  asSent?: JsonBody['value'];
  /** Members that only providers with the operator's consent may get. */
  reserved?: readonly Reserved[];
  /** The quantities beyond tokens at the model's rates, and the model's row prices. */
  extras?: AskedExtras;
  /** The request offers tools that the vendor runs. */
  runsTools?: true;
  /** The client's headers that go upstream with changed values. */
  headerEdits?: HeaderEdits;
  /** The token limit of an answer to this prompt, if it is lower than the model's own limit. */
  outputSpace?: number;
};

/**
 * `values`: the value to send for each header, or null to remove it.
 * `losses`: the losses from removed values.
 */
export type HeaderEdits = { values: Readonly<Record<string, string | null>>; losses: readonly LossCode[] };

/**
 * `priced`: the prices that the request may use. `certain`: the calls of hosted tools that every answer
 * makes, which not every upstream counts.
 */
export type AskedExtras = {
  priced: readonly PriceName[];
  certain: Readonly<Partial<Record<CallPrice, number>>>;
};
