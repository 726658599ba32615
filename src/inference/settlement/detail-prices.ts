import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import { type MeteredRates, meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import type { RatesInRows } from '../../money/ledger/rate-row.ts';
import type { AdmittedPrices, OtherPrices, UsagePrices } from '../../money/ledger/usage-prices.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { findUpstreamModel } from '../../settings/catalog/find-upstream-model.ts';
import type { AskedExtras, InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { extrasAt, fallbackFactors } from '../cost/extras-at.ts';
import { modeRates } from '../cost/mode-rates.ts';
import type { RateQuestion } from '../cost/rate-question.ts';

/** A request whose usage beyond the three rates is priced. */
export type PricedRequest = {
  exchange: Pick<Exchange, 'snapshot'>;
  /** The requested model. */
  entry: CatalogEntry;
  trail: Pick<Trail, 'provider'>;
  request: Pick<InferenceRequest, 'extras'>;
};

const NOTHING_ASKED: AskedExtras = { priced: [], certain: {} };

/**
 * The prices of everything beyond the three rates. They are read only for an answer with such usage. The
 * extras of an earlier admission apply in place of the catalog's. Metered prices and the prices of other
 * models are those of the snapshot.
 */
export class DetailPrices {
  readonly asked: UsagePrices['asked'];
  readonly certain: UsagePrices['certain'];
  readonly #priced: PricedRequest;
  readonly #rating: RateQuestion;
  readonly #admitted: AdmittedPrices | undefined;

  constructor(priced: PricedRequest, rating: RateQuestion, admitted?: AdmittedPrices) {
    const extras = priced.request.extras ?? NOTHING_ASKED;
    this.asked = admitted?.asked ?? extras.priced;
    this.certain = admitted?.certain ?? extras.certain;
    this.#priced = priced;
    this.#rating = rating;
    this.#admitted = admitted;
  }

  /** Reports whether the request asked for something that an upstream may not report. */
  get isAsked(): boolean {
    return this.asked.length > 0;
  }

  extrasOf(servedModel: string): ExtraRates {
    if (this.#admitted) return this.#admitted.extras;
    const { exchange, entry } = this.#priced;
    const { model } = exchange.snapshot.catalog.find(servedModel) ?? entry;
    return extrasAt({ ...model, extrasUsd: { ...entry.model.extrasUsd, ...model.extrasUsd } }, this.#rating);
  }

  /** Returns the prices of a metered endpoint. */
  meteredOf(servedModel: string): MeteredRates | undefined {
    const { exchange, entry } = this.#priced;
    const prices = exchange.snapshot.catalog.find(servedModel)?.model.meteredUsd ?? entry.model.meteredUsd;
    return prices ? meteredRatesOf(prices) : undefined;
  }

  /** Returns what a later settlement of the request needs. */
  admitted(model: string): Omit<AdmittedPrices, 'rows'> {
    return { asked: this.asked, certain: this.certain, extras: this.extrasOf(model) };
  }

  otherModel(upstreamModel: string, servedModel: string): OtherPrices | undefined {
    const { exchange, entry, trail } = this.#priced;
    const { catalog } = exchange.snapshot;
    const listed = findUpstreamModel(upstreamModel, catalog, trail.provider);
    const other = listed ?? catalog.unlistedModel(upstreamModel);
    if (other === undefined || other.model.id === servedModel) return undefined;
    return {
      id: other.model.id,
      rates: modeRates(other, this.#rating),
      extras: { factors: fallbackFactors(other.model, entry.model) },
    };
  }
}

/** Returns the prices of a usage at the rates of one model. */
export const pricesAt = (prices: DetailPrices, model: string, rates: RatesInRows): UsagePrices => ({
  rates,
  asked: prices.asked,
  certain: prices.certain,
  extras: prices.extrasOf(model),
  metered: prices.meteredOf(model),
  otherModel: (upstreamModel) => prices.otherModel(upstreamModel, model),
});
