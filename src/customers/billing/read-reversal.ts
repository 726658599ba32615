import type { BillingParts } from './billing-parts.ts';
import type { ReversedObject } from './billing-record.ts';
import type { StripeDispute, StripeRefund } from './stripe/stripe-objects.ts';

/** A refund or dispute of a payment, in the state that Stripe reports. */
export type PaymentReversal = ReversedObject & {
  id: string;
  paymentId: string | null;
  currency: string | undefined;
};

/** In these states, the money is or stays with the operator. */
const OVER = {
  refund: new Set(['failed', 'canceled']),
  dispute: new Set(['won', 'warning_closed', 'warning_needs_response', 'warning_under_review']),
};

/** Reads the present state of a refund. */
export async function readRefund({ stripe }: BillingParts, id: string): Promise<PaymentReversal> {
  return reversalOf('refund', await stripe.get<StripeRefund>(`/v1/refunds/${encodeURIComponent(id)}`));
}

/** Reads the present state of a dispute. */
export async function readDispute({ stripe }: BillingParts, id: string): Promise<PaymentReversal> {
  return reversalOf('dispute', await stripe.get<StripeDispute>(`/v1/disputes/${encodeURIComponent(id)}`));
}

const reversalOf = (
  step: 'refund' | 'dispute',
  { id, status, amount, currency, payment_intent: paymentId }: StripeRefund | StripeDispute,
): PaymentReversal => ({ id, step, paymentId, cents: amount, currency, isOver: OVER[step].has(status) });
