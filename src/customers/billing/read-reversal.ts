import type { BillingParts } from './billing-parts.ts';
import type { ReversedObject } from './billing-record.ts';
import type { StripeReversal } from './stripe/stripe-objects.ts';

/** A refund or a dispute by its id at Stripe. */
export type ReversalKey = { step: ReversedObject['step']; id: string };

/** A refund or dispute of a payment, in the state that Stripe reports. */
export type PaymentReversal = ReversedObject & {
  id: string;
  paymentId: string | null;
  currency: string | undefined;
};

const paths = { refund: '/v1/refunds', dispute: '/v1/disputes' };

/** In these states, the money is or stays with the operator. */
const OVER = {
  refund: new Set(['failed', 'canceled']),
  dispute: new Set(['won', 'warning_closed', 'warning_needs_response', 'warning_under_review']),
};

/** Reads the present state of a refund or a dispute. */
export async function readReversal(
  { stripe }: BillingParts,
  { step, id }: ReversalKey,
): Promise<PaymentReversal> {
  const reversal = await stripe.get<StripeReversal>(`${paths[step]}/${encodeURIComponent(id)}`);
  const { status, amount: cents, currency, payment_intent: paymentId } = reversal;
  return { id: reversal.id, step, paymentId, cents, currency, isOver: OVER[step].has(status) };
}
