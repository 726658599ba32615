import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { BillingParts } from './billing-parts.ts';
import type { ReversalBody } from './billing-record.ts';
import { creditPayment } from './credit-payment.ts';
import { purchaseOf } from './purchase-mark.ts';
import { readPayment } from './read-payment.ts';
import { type PaymentReversal, type ReversalKey, readReversal } from './read-reversal.ts';
import { reportProblem } from './report-problem.ts';
import { reportReversal } from './report-reversal.ts';
import { type ReversedPayment, saveReversal } from './save-reversal.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';
import { untilSaved } from './until-saved.ts';
import { writeTakings } from './write-takings.ts';

/**
 * Takes back what a refund or a dispute has reversed of a payment for credit, or gives it back once the
 * dispute is won.
 */
export async function reversePayment(parts: BillingParts, key: ReversalKey): Promise<void> {
  const first = await readReversal(parts, key);
  if (first.paymentId === null) return;
  const payment = await readPayment(parts, first.paymentId);
  const purchase = purchaseOf(payment);
  if (!purchase) {
    if (!first.isOver) reportReversal(parts, first);
    return;
  }
  // The message about the payment itself may still be on its way.
  if ((await creditPayment(parts, payment)) === 'ignored' || 'problem' in purchase) return;
  const problem = problemOf(first, payment);
  if (problem) {
    const { accountId } = purchase;
    reportProblem(parts, { problem, accountId, payment: payment.id, [first.step]: first.id });
    return;
  }
  const account = await parts.accounts.find(purchase.accountId);
  if (account instanceof Refusal) return;
  await takeBack(parts, { account, payment, purchase, key });
}

function problemOf(
  { cents, currency }: PaymentReversal,
  payment: StripePayment,
): 'amount' | 'currency' | undefined {
  if (!Number.isSafeInteger(cents) || cents < 0) return 'amount';
  return currency !== undefined && currency !== payment.currency ? 'currency' : undefined;
}

/**
 * Saves what is taken before the ledger has it, and only one writer can save it. So a refund and a dispute
 * that are reported at once, even to different nodes, never take the same money twice. A process that ends in
 * between leaves entries that the next message writes.
 */
async function takeBack(parts: BillingParts, reversed: ReversedPayment): Promise<void> {
  const saved = await untilSaved('the payment', () => saveReversal(parts, reversed));
  const { account } = reversed;
  const { object, record } = saved;
  await writeTakings(parts, account, record);
  if (object.isOver) return;
  const debtMicrocredits = await debtOf(parts, account);
  const wantedMicrocredits = takenFor(object.id, record.body);
  reportReversal(parts, object, {
    accountId: account.id,
    wantedMicrocredits,
    debtMicrocredits,
    takenMicrocredits: Math.max(0, wantedMicrocredits - debtMicrocredits),
  });
}

const takenFor = (id: string, { takings }: ReversalBody): number =>
  takings.reduce((sum, { objectId, microcredits }) => sum + (objectId === id ? microcredits : 0), 0);

async function debtOf({ ledger, plans }: BillingParts, account: Account): Promise<number> {
  const period = await currentPeriod(ledger, account, plans());
  return (await ledger.balances(account.id, period)).debtMicrocredits;
}
