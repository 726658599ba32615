import { Refusal } from '../../base/errors/refusal.ts';
import { microcreditsOfCents } from '../../money/ledger/cents.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { paymentEntryId } from './payment-entry-id.ts';
import { type Purchase, purchaseOf } from './purchase-mark.ts';
import { reportProblem } from './report-problem.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/**
 * Credits a payment once, however often and wherever it is called. `ignored`: it is not a purchase, it is
 * not paid, or it is refused and operators are notified.
 */
export async function creditPayment(
  parts: BillingParts,
  payment: StripePayment,
): Promise<'credited' | 'ignored'> {
  const purchase = purchaseOf(payment);
  if (!purchase || payment.status !== 'succeeded') return 'ignored';
  const { accountId } = purchase;
  if ('problem' in purchase) {
    const { amount_received: amount, currency } = payment;
    reportProblem(parts, { problem: purchase.problem, accountId, payment: payment.id, currency, amount });
    return 'ignored';
  }
  if ((await parts.accounts.find(accountId)) instanceof Refusal) {
    reportProblem(parts, { payment: payment.id, accountId, problem: 'no-account' });
    return 'ignored';
  }
  await giveCredit(parts, purchase, payment.id);
  return 'credited';
}

/** Writes the entry of a purchase, unless the ledger has it. */
async function giveCredit(
  { ledger, clock, report }: BillingParts,
  { accountId, cents }: Purchase,
  paymentId: string,
): Promise<void> {
  const id = paymentEntryId('payment', paymentId);
  if (await ledger.findEntry(id)) return;
  const at = clock.now();
  const microcredits = microcreditsOfCents(cents);
  const entry = {
    id,
    accountId,
    at,
    kind: 'purchase' as const,
    period: PURCHASED,
    microcredits,
    receipt: null,
    reason: `Payment ${paymentId}`,
  };
  const after = { entry: id, microcredits, payment: paymentId };
  const audit = {
    at,
    actor: STRIPE,
    action: 'credit-purchase' as const,
    target: accountId,
    before: null,
    after,
  };
  if (!(await ledger.give(entry, { audit })))
    throw new Error('The balance would exceed the maximum of an account.');
  const credits = creditsOf(microcredits);
  report('info', 'payment-credited', { account_id: accountId, payment: paymentId, credits });
}
