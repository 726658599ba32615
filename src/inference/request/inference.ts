import type { JsonBody } from '../../base/json/json-body.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { LimitCount } from '../../money/limits/limit-count.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { FactorPrice } from '../../translation/canonical/price-name.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import type { Caller } from '../../upstream/routing/call-order.ts';
import type { LearnedRefusals } from '../../upstream/routing/learned-refusals.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import type { CreditOrder } from '../cost/credit-order.ts';
import type { MeasuredPrompt } from '../cost/measured-prompt.ts';
import type { OutputAllowance } from '../cost/output-allowance.ts';
import { askedRegion, type RateQuestion } from '../cost/rate-question.ts';
import type { VendorIds } from '../responses/vendor-ids.ts';
import type { Belief } from '../settlement/belief.ts';
import type { CacheScope, CacheShares } from '../settlement/cache-shares.ts';
import { cacheScopeOf } from '../settlement/request-estimate.ts';
import type { Tab } from '../settlement/tab.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import { ReaderPace } from '../stream/reader-pace.ts';
import { answerId } from './answer-id.ts';
import type { ArrivedRequest } from './arrived-request.ts';
import type { KeptConversation } from './kept-conversation.ts';
import type { Permit } from './permit.ts';
import type { Services } from './services.ts';
import type { Unattended } from './unattended.ts';

/** The longest time of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * One request on its way to its answer. Each step of the gateway completes it, and later steps read what
 * earlier ones have found. All members exist from the start, so that all requests share one shape.
 */
export class Inference {
  readonly services: Services;
  readonly dialect: Dialect;
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly body: JsonBody;
  /** Undefined if a client waits for the answer. */
  readonly unattended: Unattended | undefined;
  readonly trail: Trail;
  /** The id of the answer. */
  readonly id: string;

  // Members that reading, admission and the conversation set.
  /** The request as the client sent it, with the conversation that it continues. */
  clientRequest!: InferenceRequest;
  permit!: Permit;
  /** The model that is to answer: the requested one, or a substitute. */
  entry!: CatalogEntry;
  /** Undefined if answers of the dialect are not stored. */
  conversation: KeptConversation | undefined;

  // Members that qualification sets.
  /** The request, fitted to the model and later to the credit. */
  request!: InferenceRequest;
  prompt!: MeasuredPrompt;

  // Members that the hold sets.
  credit!: CreditOrder;
  hold!: Hold;
  limitCount!: LimitCount;
  /** The longest answer that the hold covers, if an amount is held. */
  allowance: OutputAllowance | undefined;
  belief!: Belief;
  tab!: Tab;
  estimate!: UsageEstimate;

  /** The priced tier that the head of the provider's answer names. Undefined if it names none. */
  servedTier: FactorPrice | undefined;

  #pace: ReaderPace | undefined;

  constructor(services: Services, dialect: Dialect, arrived: ArrivedRequest) {
    const { exchange, principal, body, unattended } = arrived;
    this.services = services;
    this.dialect = dialect;
    this.exchange = exchange;
    this.principal = principal;
    this.body = body;
    this.unattended = unattended;
    this.trail = unattended?.trail ?? new Trail();
    this.id = answerId(exchange, dialect);
  }

  /** True for an item of a batch that its provider runs. */
  get isNative(): boolean {
    return this.unattended?.isNative === true;
  }

  /** The facts of the caller that capacity and routing read. */
  get caller(): Caller {
    const { account, apiKey, plan } = this.principal;
    const isPaid = this.permit.mode === 'payg' || plan.id !== 'free';
    return {
      account: account.id,
      keyId: apiKey.id,
      planClass: this.unattended?.planClass ?? (isPaid ? 'paid' : 'free'),
    };
  }

  /** The pace at which the client takes the answer. */
  get pace(): ReaderPace {
    // A recorded answer continues without its client.
    this.#pace ??= new ReaderPace(
      this.exchange.recording ? MAX_WAIT_MS : msOf(this.exchange.snapshot.config.limits.slow_reader_s),
    );
    return this.#pace;
  }

  /** Counts tokens while the client waits. */
  get counter(): TokenCounter {
    const { request, patience } = this.exchange;
    const account = this.principal.account.id;
    return this.services.counter.for({ account, request: patience ? { signal: patience } : request });
  }

  /** Counts tokens for the settlement, which waits longer. */
  get patientCounter(): TokenCounter {
    return this.services.counter.for({ account: this.principal.account.id, isPatient: true });
  }

  get shares(): CacheShares {
    return this.services.shares;
  }

  /** The prompt, as the caches of upstreams know it. */
  get cacheScope(): CacheScope {
    const { principal, permit, request } = this;
    return cacheScopeOf({ keyId: principal.apiKey.id, model: permit.entry.model.id }, request);
  }

  get learned(): LearnedRefusals | undefined {
    return this.services.routing.learned;
  }

  /** Undefined for an item that its provider runs, which can refer to no answer. */
  get vendorIds(): VendorIds | undefined {
    return this.isNative ? undefined : this.services.vendorIds;
  }

  /** Returns the facts that select the rates. An item of a batch has the prices of the batch's creation. */
  rating(now = this.services.clock.now()): RateQuestion {
    const { permit, unattended, request } = this;
    return {
      mode: permit.mode,
      isNative: this.isNative,
      at: unattended?.pricedAt ?? now,
      region: askedRegion(request.body.value),
    };
  }

  /** Returns the request for a substitute of the requested model. Both have the same tab. */
  forSubstitute(entry: CatalogEntry, request: InferenceRequest): Inference {
    const other = new Inference(this.services, this.dialect, this);
    return Object.assign(other, this, { entry, request });
  }
}
