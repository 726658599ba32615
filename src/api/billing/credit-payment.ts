import { Refusal } from '../../base/errors/refusal.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { tellProblem } from './payment-alerts.ts';
import { microcreditsOfCents, paymentEntryId } from './payment-entries.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/** The members of `metadata` that mark a payment as a purchase of credit. The gateway writes them when it starts the payment. */
export type PurchaseMark = { account_id: string; credit_cents: string };

export const purchaseMark = (accountId: string, cents: number): PurchaseMark => ({
  account_id: accountId,
  credit_cents: String(cents),
});

/** The account and the paid amount of a purchase. Undefined: the payment is for something else. */
export function purchaseOf(payment: StripePayment): { accountId: string; cents: number } | undefined {
  const { account_id: accountId, credit_cents: marked } = payment.metadata;
  if (!accountId || !/^\d{1,9}$/.test(marked ?? '')) return undefined;
  // Taxes make the received amount larger than the credit.
  return { accountId, cents: Math.min(Number(marked), payment.amount_received) };
}

export const readPayment = ({ stripe }: Pick<BillingParts, 'stripe'>, id: string): Promise<StripePayment> =>
  stripe.get<StripePayment>(`/v1/payment_intents/${encodeURIComponent(id)}`);

/** Credits a payment once, however often and wherever it is called. `ignored`: it is no purchase, or it is not paid. */
export async function creditPayment(
  parts: BillingParts,
  payment: StripePayment,
): Promise<'credited' | 'ignored'> {
  const purchase = purchaseOf(payment);
  if (!purchase || payment.status !== 'succeeded') return 'ignored';
  const { accounts, ledger, clock, tell } = parts;
  const account = await accounts.find(purchase.accountId);
  if (account instanceof Refusal) {
    tellProblem(parts, { payment: payment.id, accountId: purchase.accountId, problem: 'no-account' });
    return 'ignored';
  }
  const id = paymentEntryId('payment', payment.id);
  if (await ledger.findEntry(id)) return 'credited';
  const microcredits = microcreditsOfCents(purchase.cents);
  const entry = {
    ...{ id, accountId: account.id, at: clock.now(), kind: 'purchase' as const, period: PURCHASED },
    ...{ microcredits, receipt: null, reason: `Payment ${payment.id}` },
  };
  if (!(await ledger.give(entry))) throw new Error('The balance would exceed the maximum of an account.');
  await accounts.record('credit-purchase', account.id, {
    ...{ before: null, after: { entry: id, microcredits, payment: payment.id }, actor: STRIPE },
  });
  tell('info', 'payment-credited', {
    ...{ account_id: account.id, payment: payment.id, credits: creditsOf(microcredits) },
  });
  return 'credited';
}
