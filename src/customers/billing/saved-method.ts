import type { StripeClient } from './stripe/stripe-client.ts';
import type { StripeCustomer, StripeList, StripePaymentMethod } from './stripe/stripe-objects.ts';

/** Returns the method for payments without the payer: the customer's default, else the latest saved one. */
export async function savedMethod(
  stripe: StripeClient,
  customerId: string,
): Promise<StripePaymentMethod | undefined> {
  const path = `/v1/customers/${encodeURIComponent(customerId)}`;
  const [customer, methods] = await Promise.all([
    stripe.get<StripeCustomer>(path),
    stripe.get<StripeList<StripePaymentMethod>>(`${path}/payment_methods`, { limit: 100 }),
  ]);
  const chosen = customer.invoice_settings?.default_payment_method;
  return methods.data.find(({ id }) => id === chosen) ?? methods.data[0];
}
