import { Refusal } from '../../base/errors/refusal.ts';
import { microcreditsOfCents } from '../../money/ledger/cents.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { reportProblem } from './payment-alerts.ts';
import { paymentEntryId } from './payment-entry-id.ts';
import { purchaseOf } from './purchase-mark.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

export const readPayment = ({ stripe }: Pick<BillingParts, 'stripe'>, id: string): Promise<StripePayment> =>
  stripe.get<StripePayment>(`/v1/payment_intents/${encodeURIComponent(id)}`);

/**
 * Credits a payment once, however often and wherever it is called. `ignored`: it is no purchase, it is not
 * paid, or it is refused and operators are notified.
 */
export async function creditPayment(
  parts: BillingParts,
  payment: StripePayment,
): Promise<'credited' | 'ignored'> {
  const purchase = purchaseOf(payment);
  if (!purchase || payment.status !== 'succeeded') return 'ignored';
  const { accounts, ledger, clock, report } = parts;
  const { accountId } = purchase;
  if ('problem' in purchase) {
    const { amount_received: amount, currency } = payment;
    reportProblem(parts, { problem: purchase.problem, accountId, payment: payment.id, currency, amount });
    return 'ignored';
  }
  const account = await accounts.find(accountId);
  if (account instanceof Refusal) {
    reportProblem(parts, { payment: payment.id, accountId, problem: 'no-account' });
    return 'ignored';
  }
  const id = paymentEntryId('payment', payment.id);
  if (await ledger.findEntry(id)) return 'credited';
  const microcredits = microcreditsOfCents(purchase.cents);
  const entry = {
    id,
    accountId: account.id,
    at: clock.now(),
    kind: 'purchase' as const,
    period: PURCHASED,
    microcredits,
    receipt: null,
    reason: `Payment ${payment.id}`,
  };
  if (!(await ledger.give(entry))) throw new Error('The balance would exceed the maximum of an account.');
  await accounts.record('credit-purchase', account.id, {
    before: null,
    after: { entry: id, microcredits, payment: payment.id },
    actor: STRIPE,
  });
  report('info', 'payment-credited', {
    account_id: account.id,
    payment: payment.id,
    credits: creditsOf(microcredits),
  });
  return 'credited';
}
