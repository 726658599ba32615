import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { FinishedAnswer } from '../../translation/contract/finished-answer.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';

/** The conversation that a request continues. The answer becomes its next turn. */
export type KeptConversation = {
  /** The request with everything that it continues and refers to. */
  request: InferenceRequest;
  /** Returns the request for a substitute of the requested model. */
  forAnother: () => InferenceRequest | Refusal;
  /** Returns the record of the answer to store, if any. */
  keep: (answer: FinishedAnswer, servedModel: string) => StoredResponse | undefined;
  /** Adds the answer to the conversation that the request names. Undefined if no conversation is named. */
  append?: ((answer: FinishedAnswer, servedModel: string) => Promise<void>) | undefined;
  /** Lets other requests change the named conversation. */
  leave?: (() => Promise<void>) | undefined;
  /** Rewrites a refusal in terms of the input that the client sent. */
  explain: (refusal: Refusal) => Refusal;
};

/** A request in a dialect whose answers are stored. */
export type KeptRequest = {
  exchange: Exchange;
  principal: Principal;
  request: InferenceRequest;
  dialect: Pick<Dialect, 'keepsAnswers'>;
  /** The requested model. */
  entry: CatalogEntry;
  /** The id of the answer. */
  id: string;
  /** The request is only counted or quoted, so it does not hold a named conversation. */
  isRead?: true;
};

/** Finds the conversations that requests continue. */
export type ConversationSource = {
  prepare(request: KeptRequest): Promise<KeptConversation | Refusal>;
};
