import type { FinishedJob } from '../../base/jobs/job.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import type { PlanClass } from '../../upstream/capacity/plan-class.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import type { Permit } from '../admission/admit.ts';
import type { Prepared } from '../responses/conversations.ts';
import type { MeasuredPrompt } from './measure-prompt.ts';
import type { RequestForModel } from './qualify-request.ts';

/** A request that its caller may send and that its model can serve. No credit is held for it yet. */
export type QualifiedRequest = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  trail: Trail;
  dialect: Dialect;
  request: InferenceRequest;
  prompt: MeasuredPrompt;
  estimateInput: () => number;
  /** No rate limits apply to the request. */
  isUnattended: boolean;
  isNative: boolean;
  unattended: Unattended | undefined;
  counter: TokenCounter;
  /** The id of the answer. */
  id: string;
  plan: RequestForModel['plan'];
  rated: RequestForModel['rated'];
  prepared: PreparedRequest;
};

/** The request with the conversation that it continues, if it continues one. */
export type PreparedRequest = Partial<Prepared> & Pick<Prepared, 'request' | 'explain'>;

/** The settings of a request that no client waits for: an item of a batch. */
export type Unattended = {
  planClass: PlanClass;
  /** The time of the batch's creation, which prices are taken at. */
  pricedAt: number;
  /** Builds the batch's record of the whole answer, which is written together with the charge. */
  finish(answer: { text: string; isSimulated: boolean }): FinishedJob;
  /** The request is sent in a provider's own batch. */
  isNative?: true;
  /** The trail to fill in, for a caller that needs to know whether the item was sent. */
  trail?: Trail;
};
