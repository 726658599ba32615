import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { holdsAt } from '../../settings/catalog/price-condition.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import { factorPriceNames, type PriceName } from '../../translation/canonical/price-name.ts';
import type { Consent } from '../../translation/members/resolve-findings.ts';
import { askedRegion, pricingFor, type RateQuestion } from '../cost/rate-question.ts';

/** A request whose priced members need the operator's consent. */
export type ConsentQuestion = {
  exchange: Pick<Exchange, 'snapshot'>;
  entry: CatalogEntry;
  request: { body: Pick<JsonBody, 'value'> };
  /** Returns the facts that select the rates. It is left out if the request will not be charged. */
  rating?: (() => RateQuestion) | undefined;
};

/** Returns what the operator has consented to, for this model and its prices. */
export function consentOf(question: ConsentQuestion): Consent {
  const { exchange, entry } = question;
  const { model, targets } = entry;
  const passesUnpriced = exchange.snapshot.config.pricing.unpriced === 'pass';
  return {
    model: model.id,
    decide: ({ extra, price }) => {
      if (price !== undefined && isPriced(price, model, question)) return 'billed';
      return passesUnpriced || model.allowUnpriced.includes(extra) ? 'unbilled' : 'refused';
    },
    mayReach: (field) => targets.some(({ provider }) => acceptsField(provider, field)),
  };
}

/**
 * A price is in `extras_usd`, or in a row for the requested tier or region whose other conditions can hold.
 */
function isPriced(price: PriceName, model: Model, question: ConsentQuestion): boolean {
  if (model.extrasUsd[price] !== undefined) return true;
  if (!(factorPriceNames as readonly PriceName[]).includes(price)) return false;
  const rated = question.rating?.();
  const pricings = rated
    ? [pricingFor(model, rated)]
    : [model.pricing, model.paygPricing, model.nativeBatchPricing];
  const rows = pricings.flatMap((pricing) => pricing?.conditions ?? []);
  const matching = rows.filter(({ tier, region }) =>
    price === 'inference_geo'
      ? region !== null && region === askedRegion(question.request.body.value)
      : tier === price,
  );
  return rated ? matching.some((row) => holdsAt(row, rated.at)) : matching.length > 0;
}
