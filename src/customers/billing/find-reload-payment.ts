import { DAY_MS } from '../../base/lib/units.ts';
import type { BillingParts } from './billing-parts.ts';
import type { StartedReload } from './billing-record.ts';
import { findCustomer } from './customers.ts';
import { listObjects } from './stripe/list-objects.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/**
 * Finds the payment of a reload by its mark. Stripe forgets an idempotency key after a day, so the key alone
 * cannot prevent a second payment.
 */
export async function findReloadPayment(
  parts: BillingParts,
  { accountId, attempt: { id, at } }: StartedReload,
): Promise<StripePayment | undefined> {
  const customer = await findCustomer(parts, accountId);
  if (!customer) return undefined;
  // The margin of a day covers clocks that differ.
  const created = { gte: Math.floor((at - DAY_MS) / 1_000) };
  const query = { customer: customer.reference, created };
  const payments = listObjects<StripePayment>(parts.stripe, '/v1/payment_intents', query);
  for await (const payment of payments) if (payment.metadata['reload'] === id) return payment;
  return undefined;
}
