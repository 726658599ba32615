import { Refusal } from '../../base/errors/refusal.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { currentPeriod } from '../admin/view-account.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { creditPayment, purchaseOf, readPayment } from './credit-payment.ts';
import { tellReversal } from './payment-alerts.ts';
import { microcreditsOfCents, paymentEntryId } from './payment-entries.ts';
import type { StripeDispute, StripeList, StripeRefund } from './stripe/stripe-objects.ts';

/** A refund or dispute. `isOver`: the money is back, so the credit is returned. */
type Reverse = {
  step: 'refund' | 'dispute';
  objectId: string;
  paymentId: string | null;
  cents: number;
  isOver: boolean;
};

export async function followRefund(parts: BillingParts, id: string): Promise<void> {
  await reverseRefund(parts, await parts.stripe.get<StripeRefund>(`/v1/refunds/${encodeURIComponent(id)}`));
}

/** Follows all refunds of a charge. */
export async function followCharge(parts: BillingParts, id: string): Promise<void> {
  const refunds = await parts.stripe.get<StripeList<StripeRefund>>('/v1/refunds', { charge: id, limit: 100 });
  for (const refund of refunds.data) await reverseRefund(parts, refund);
}

const overRefunds = new Set(['failed', 'canceled']);

const reverseRefund = (parts: BillingParts, refund: StripeRefund): Promise<void> =>
  reverse(parts, {
    ...{ step: 'refund', objectId: refund.id, paymentId: refund.payment_intent, cents: refund.amount },
    isOver: overRefunds.has(refund.status),
  });

/** In these states of a dispute, the money is or stays with the operator. */
const overDisputes = new Set(['won', 'warning_closed', 'warning_needs_response', 'warning_under_review']);

export async function followDispute(parts: BillingParts, id: string): Promise<void> {
  const dispute = await parts.stripe.get<StripeDispute>(`/v1/disputes/${encodeURIComponent(id)}`);
  await reverse(parts, {
    ...{ step: 'dispute', objectId: dispute.id, paymentId: dispute.payment_intent, cents: dispute.amount },
    isOver: overDisputes.has(dispute.status),
  });
}

async function reverse(parts: BillingParts, order: Reverse): Promise<void> {
  if (order.paymentId === null) return;
  const payment = await readPayment(parts, order.paymentId);
  const purchase = purchaseOf(payment);
  const told = { step: order.step, objectId: order.objectId, payment: payment.id };
  if (!purchase) {
    if (!order.isOver)
      tellReversal(parts, { ...told, accountId: null, wantedMicrocredits: 0, takenMicrocredits: 0 });
    return;
  }
  // The message about the payment itself may still be on its way.
  if ((await creditPayment(parts, payment)) === 'ignored') return;
  const takenBefore = await parts.ledger.findEntry(paymentEntryId(order.step, order.objectId));
  if (order.isOver) {
    if (takenBefore) await giveBack(parts, order, purchase.accountId, -takenBefore.microcredits);
    return;
  }
  if (takenBefore) return;
  const wanted = microcreditsOfCents(Math.min(order.cents, purchase.cents));
  const taken = await takeBack(parts, order, purchase.accountId, wanted);
  tellReversal(parts, {
    ...{ ...told, accountId: purchase.accountId, wantedMicrocredits: wanted, takenMicrocredits: taken },
  });
}

/** Shares of the balance that are tried one after another, since a part of it can be held by requests that are under way. */
const SHARES = [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0];

/** Takes back what is left of the amount. The entry is written in any case, so that a later message takes nothing more. */
async function takeBack(
  parts: BillingParts,
  { step, objectId, paymentId }: Reverse,
  accountId: string,
  wanted: number,
): Promise<number> {
  const { accounts, ledger, clock, plans } = parts;
  const account = await accounts.find(accountId);
  if (account instanceof Refusal) return 0;
  const period = await currentPeriod(ledger, account, plans());
  const id = paymentEntryId(step, objectId);
  for (const share of SHARES) {
    const { purchasedMicrocredits } = await ledger.balances(accountId, period);
    const amount = Math.max(0, Math.floor(Math.min(wanted, purchasedMicrocredits) * share));
    const reason = `${step === 'refund' ? 'Refund' : 'Dispute'} ${objectId} of payment ${paymentId}`;
    const entry = {
      ...{ id, accountId, at: clock.now(), kind: 'adjustment' as const, period: PURCHASED },
      ...{ microcredits: amount === 0 ? 0 : -amount, receipt: null, reason },
    };
    if (!(await ledger.give(entry))) continue;
    // Another node may have been first, with another amount.
    const written = await ledger.findEntry(id);
    await accounts.record('credit-adjustment', accountId, {
      ...{ before: null, after: { entry: id, microcredits: -amount, [step]: objectId }, actor: STRIPE },
    });
    return -(written?.microcredits ?? 0) || 0;
  }
  throw new Error('The balance keeps changing.');
}

async function giveBack(
  { accounts, ledger, clock }: BillingParts,
  { step, objectId }: Reverse,
  accountId: string,
  microcredits: number,
): Promise<void> {
  if (microcredits <= 0) return;
  const id = paymentEntryId('returned', objectId);
  if (await ledger.findEntry(id)) return;
  const reason = step === 'refund' ? `Refund ${objectId} failed` : `Dispute ${objectId} was won`;
  const entry = {
    ...{ id, accountId, at: clock.now(), kind: 'adjustment' as const, period: PURCHASED },
    ...{ microcredits, receipt: null, reason },
  };
  if (!(await ledger.give(entry))) throw new Error('The balance would exceed the maximum of an account.');
  await accounts.record('credit-adjustment', accountId, {
    ...{ before: null, after: { entry: id, microcredits, [step]: objectId }, actor: STRIPE },
  });
}
