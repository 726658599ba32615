import type { Exchange } from '../../edge/http/exchange.ts';
import { UNLIMITED } from '../../money/limits/limit-count.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import type { CarriedRequest } from '../carriage/carried-request.ts';
import { askedRegion, type RateQuestion } from '../cost/rate-question.ts';
import { requestedCeiling } from '../cost/requested-ceiling.ts';
import { answerId } from '../request/answer-id.ts';
import type { Services } from '../request/services.ts';
import { Belief } from '../settlement/belief.ts';
import { DetailPrices } from '../settlement/detail-prices.ts';
import { cacheScopeOf, estimateOf } from '../settlement/request-estimate.ts';
import type { Tab } from '../settlement/tab.ts';
import type { Admitted } from './admitted.ts';

/** A request that a provider has answered in a batch of its own, long after the request was admitted. */
export type AdmittedRequest = {
  readonly exchange: Exchange;
  readonly dialect: Dialect;
  /** The request as it was sent. */
  readonly request: InferenceRequest;
  /** The model of the admission, or a stand-in if the catalog no longer has it. */
  readonly entry: CatalogEntry;
  /** The target that has answered. */
  readonly target: Target;
  readonly admitted: Admitted;
  /** The time that prices are taken at. */
  readonly pricedAt: number;
};

/**
 * A request whose answer is read and settled by the terms of its admission. It has the members that an
 * `Inference` has after its admission, but no key, account or permit.
 */
export class ReopenedRequest {
  readonly carried: CarriedRequest;
  readonly #request: AdmittedRequest;
  readonly #services: Services;
  readonly #trail: Trail;
  readonly #belief: Belief;

  constructor(admittedRequest: AdmittedRequest, services: Services) {
    const { exchange, dialect, request, entry, target, admitted } = admittedRequest;
    const { accountId, keyId } = admitted.hold.order;
    this.#request = admittedRequest;
    this.#services = services;
    this.#trail = new Trail(admitted.model);
    this.#trail.begin(target);
    const members = { exchange, dialect, request, entry, services, trail: this.#trail };
    this.#belief = new Belief(members);
    this.carried = {
      ...members,
      id: answerId(exchange, dialect),
      estimate: estimateOf({
        ...members,
        belief: this.#belief,
        shares: services.shares,
        cacheScope: cacheScopeOf({ keyId, model: admitted.model }, request),
        patientCounter: services.counter.for({ account: accountId, isPatient: true }),
      }),
      vendorIds: undefined,
      learned: undefined,
    };
  }

  /** Opens the tab, at the rates of the admission. */
  openTab(): Tab {
    const { exchange, dialect, request, entry, admitted } = this.#request;
    const { hold, model, prices } = admitted;
    const rates = { ...admitted.rates, rows: prices?.rows };
    const priced = { exchange, entry, trail: this.#trail, request };
    return this.#services.tabs.open({
      exchange,
      trail: this.#trail,
      hold,
      limitCount: UNLIMITED,
      model,
      rates,
      ratesOf: () => rates,
      detailPrices: new DetailPrices(priced, ratingOf(this.#request), prices),
      prompt: { estimate: () => this.carried.estimate.input() },
      outputCeiling: requestedCeiling(request.body.value, dialect.ceilings ?? []) ?? entry.model.maxOutput,
      clock: this.#services.clock,
      belief: this.#belief,
    });
  }
}

const ratingOf = ({ request, admitted, pricedAt }: AdmittedRequest): RateQuestion => ({
  mode: admitted.hold.order.pays === 'purchased' ? 'payg' : 'subscription',
  isNative: true,
  at: pricedAt,
  region: askedRegion(request.body.value),
});
