import { keysOf } from '../../base/lib/records.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { BillingParts } from './billing-parts.ts';

type Prices = Readonly<Partial<Record<PlanId, string | null>>>;

const pricesOf = ({ config }: BillingParts): Prices => config().billing.stripe?.prices ?? {};

/** Returns the configured price of a plan at Stripe. `null` means that the plan cannot be bought. */
export const stripePrice = (parts: BillingParts, plan: PlanId): string | null =>
  pricesOf(parts)[plan] ?? null;

/** Returns the plan that has a price at Stripe, or undefined if the configuration does not name the price. */
export function planOfPrice(parts: BillingParts, priceId: string): PlanId | undefined {
  const prices = pricesOf(parts);
  return keysOf(prices).find((plan) => prices[plan] === priceId);
}
