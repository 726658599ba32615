import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { Model, Pricing } from '../../settings/catalog/model.ts';

/** The facts that select one of a model's rates. */
export type RateQuestion = {
  mode: PaymentMode;
  isNative?: boolean | undefined;
  /** The time of the admission, or of the creation of the item's batch. */
  at: number;
  /** The region that the request asks for. */
  region: string | undefined;
};

/** Reads the region that a request asks for. */
export const askedRegion = ({
  inference_geo: region,
}: Readonly<Record<string, unknown>>): string | undefined =>
  typeof region === 'string' ? region : undefined;

/** The part of the question that selects a list of prices. */
export type PriceListQuestion = Pick<RateQuestion, 'mode' | 'isNative'>;

/** Reports whether the rates of providers' own batches apply, if the model has them. */
export const isBatchRate = ({ mode, isNative }: PriceListQuestion): boolean =>
  isNative === true && mode !== 'payg';

/** Returns the prices of a model in the payment mode, or in a provider's own batch. */
export function pricingFor(
  { pricing, paygPricing, nativeBatchPricing }: Pick<Model, 'pricing' | 'paygPricing' | 'nativeBatchPricing'>,
  rating: PriceListQuestion,
): Pricing {
  if (rating.mode === 'payg') return paygPricing ?? pricing;
  return (isBatchRate(rating) ? nativeBatchPricing : null) ?? pricing;
}
