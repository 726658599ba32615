import { applySubscription } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { changeRecord } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { matchCustomer } from './customers.ts';
import { readPayment } from './read-payment.ts';
import type { StripeCheckout } from './stripe/stripe-objects.ts';

/**
 * The states in which the payment of a completed checkout cannot succeed any more. A bank that refuses it
 * later asks for another method, which only another checkout can take.
 */
const FAILED: ReadonlySet<string> = new Set(['canceled', 'requires_payment_method']);

/** `complete`: what was paid for has arrived. `processing`: the bank has not decided yet. */
export type CheckoutState = 'open' | 'processing' | 'complete' | 'expired';

/**
 * Applies what a checkout has paid for. It is called for messages, for returning browsers, and by the worker.
 * Returns undefined if the checkout is of another account than `accountId`.
 */
export async function applyCheckout(
  parts: BillingParts,
  id: string,
  accountId?: string,
): Promise<CheckoutState | undefined> {
  const checkout = await parts.stripe.get<StripeCheckout>(`/v1/checkout/sessions/${encodeURIComponent(id)}`);
  if (accountId !== undefined && checkout.metadata['account_id'] !== accountId) return undefined;
  const state = await applyPaid(parts, checkout);
  if (state === 'complete' || state === 'expired')
    await changeRecord({ store: parts.store, kind: 'checkout', id }, () => ({
      dueAt: null,
      body: { outcome: state },
    }));
  return state;
}

async function applyPaid(parts: BillingParts, checkout: StripeCheckout): Promise<CheckoutState> {
  if (checkout.status !== 'complete') return checkout.status;
  if (checkout.customer) await matchCustomer(parts, checkout.customer, checkout.metadata['account_id']);
  if (checkout.subscription !== null) {
    await applySubscription(parts, checkout.subscription);
    return 'complete';
  }
  if (checkout.payment_intent === null) return 'complete';
  const payment = await readPayment(parts, checkout.payment_intent);
  await creditPayment(parts, payment);
  if (payment.status === 'succeeded') return 'complete';
  return FAILED.has(payment.status) ? 'expired' : 'processing';
}
