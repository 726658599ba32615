import { lookUp } from '../../base/lib/records.ts';
import { applyCheckout } from './apply-checkout.ts';
import { applySubscription } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { creditPayment } from './credit-payment.ts';
import { readPayment } from './read-payment.ts';
import { reversePayment } from './reverse-payment.ts';
import { listObjects } from './stripe/list-objects.ts';
import type { StripeInvoice, StripeReversal } from './stripe/stripe-objects.ts';

/** Reads an object from Stripe and applies its present state. Each is safe to repeat. */
type Applier = (parts: BillingParts, objectId: string) => Promise<unknown>;

const applyPayment: Applier = async (parts, id) => creditPayment(parts, await readPayment(parts, id));

async function applyInvoice(parts: BillingParts, id: string): Promise<void> {
  const invoice = await parts.stripe.get<StripeInvoice>(`/v1/invoices/${encodeURIComponent(id)}`);
  if (invoice.subscription !== null) await applySubscription(parts, invoice.subscription);
}

const applyRefund: Applier = (parts, id) => reversePayment(parts, { step: 'refund', id });

const applyDispute: Applier = (parts, id) => reversePayment(parts, { step: 'dispute', id });

async function applyRefundsOfCharge(parts: BillingParts, id: string): Promise<void> {
  const refunds = listObjects<StripeReversal>(parts.stripe, '/v1/refunds', { charge: id });
  for await (const refund of refunds) await applyRefund(parts, refund.id);
}

const appliersByType: Readonly<Record<string, Applier>> = {
  'payment_intent.succeeded': applyPayment,
  'invoice.paid': applyInvoice,
  'invoice.payment_failed': applyInvoice,
  'charge.refunded': applyRefundsOfCharge,
};

/** The appliers of all types that begin with the name of an object. */
const appliersByObject: Readonly<Record<string, Applier>> = {
  'checkout.session': applyCheckout,
  'customer.subscription': applySubscription,
  'charge.refund': applyRefund,
  refund: applyRefund,
  'charge.dispute': applyDispute,
};

/** Returns the applier of a type of messages, or undefined if messages of this type change nothing. */
export const applierOf = (type: string): Applier | undefined =>
  lookUp(appliersByType, type) ?? lookUp(appliersByObject, type.slice(0, type.lastIndexOf('.')));
