import { DAY_MS } from '../../base/lib/units.ts';
import type { BillingParts } from './billing-parts.ts';
import type { StartedReload } from './billing-record.ts';
import { findCustomer } from './customers.ts';
import type { StripeList, StripePayment } from './stripe/stripe-objects.ts';

/** Stripe returns at most this many payments at a time. */
const MAX_PAYMENTS = 100;

/**
 * Finds the payment of a reload by its mark.
 * Stripe forgets an idempotency key after a day, so the key alone cannot prevent a second payment.
 */
export async function findReloadPayment(
  parts: BillingParts,
  { accountId, attempt: { id, at } }: StartedReload,
): Promise<StripePayment | undefined> {
  const customer = await findCustomer(parts, accountId);
  if (!customer) return undefined;
  // The margin of a day covers clocks that differ.
  const created = { gte: Math.floor((at - DAY_MS) / 1_000) };
  let after: string | undefined;
  for (;;) {
    const page = await parts.stripe.get<StripeList<StripePayment>>('/v1/payment_intents', {
      customer: customer.reference,
      created,
      limit: MAX_PAYMENTS,
      starting_after: after,
    });
    const payment = page.data.find(({ metadata }) => metadata['reload'] === id);
    after = page.data.at(-1)?.id;
    if (payment || !page.has_more || after === undefined) return payment;
  }
}
