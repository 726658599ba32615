import { Refusal } from '../../base/errors/refusal.ts';
import type { BillingParts } from './billing-parts.ts';
import type { CheckoutPage } from './checkouts.ts';
import { findCustomer } from './customers.ts';
import { refusalOfStripe, withoutStripe } from './stripe-refusals.ts';

/** Opens the page at Stripe where cards, invoices and the subscription are managed. */
export async function openPortal(
  parts: BillingParts,
  accountId: string,
  origin: string,
): Promise<CheckoutPage | Refusal> {
  if (!parts.stripe.isReady) return withoutStripe();
  const customer = await findCustomer(parts, accountId);
  if (!customer) return nothingPaid();
  try {
    return await parts.stripe.post<CheckoutPage>('/v1/billing_portal/sessions', {
      fields: { customer: customer.reference, return_url: `${origin}/billing` },
    });
  } catch (error) {
    return refusalOfStripe(error);
  }
}

const nothingPaid = (): Refusal =>
  new Refusal('conflict', { message: 'Nothing has been paid yet, so there is nothing to manage.' });
