import { type ExtraRates, extraRatesOf, scaledExtras } from '../../money/ledger/extra-rates.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { isBatchRate, type PriceListQuestion } from './rate-question.ts';

export type PricedModel = Pick<Model, 'extrasUsd' | 'pricing' | 'nativeBatchPricing'>;

/**
 * Returns the rates beyond the three. In a provider's own batch, prices of tokens are lower by as much as the
 * batch's own prices.
 */
export function extrasAt(
  { extrasUsd, pricing, nativeBatchPricing }: PricedModel,
  rating: PriceListQuestion,
): ExtraRates {
  const extras = extraRatesOf(extrasUsd);
  if (nativeBatchPricing === null || !isBatchRate(rating)) return extras;
  return scaledExtras(extras, {
    input: ratio(nativeBatchPricing.input, pricing.input),
    output: ratio(nativeBatchPricing.output, pricing.output),
  });
}

/**
 * Returns the factors of a model that answers in place of the requested model. Where its own row has no
 * factor, it has the requested model's.
 */
export const fallbackFactors = (
  { extrasUsd }: Pick<Model, 'extrasUsd'>,
  requestModel: Pick<Model, 'extrasUsd'>,
): ExtraRates['factors'] => extraRatesOf({ ...requestModel.extrasUsd, ...extrasUsd }).factors;

const ratio = (discounted: number, listed: number): number => (listed > 0 ? discounted / listed : 1);
