import type { BillingParts } from './billing-parts.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/** Reads a payment from Stripe. */
export const readPayment = ({ stripe }: BillingParts, id: string): Promise<StripePayment> =>
  stripe.get<StripePayment>(`/v1/payment_intents/${encodeURIComponent(id)}`);
