import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { microcreditsOfCents } from '../../money/ledger/cents.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import type { BillingRecord, ReversalBody } from './billing-record.ts';
import { withChange } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { newRecord } from './new-record.ts';
import { paymentEntryId } from './payment-entry-id.ts';
import { type Purchase, purchaseOf } from './purchase-mark.ts';
import { readPayment } from './read-payment.ts';
import { type PaymentReversal, readDispute, readRefund } from './read-reversal.ts';
import { reportProblem } from './report-problem.ts';
import { reportReversal } from './report-reversal.ts';
import { noReversal, withObject } from './reversal-plan.ts';
import type { StripeList, StripePayment, StripeRefund } from './stripe/stripe-objects.ts';
import { takenByEarlierVersions } from './taken-by-earlier-versions.ts';
import { untilSaved } from './until-saved.ts';

/** Takes back what a refund has reversed. */
export const followRefund = (parts: BillingParts, id: string): Promise<void> =>
  reverse(parts, () => readRefund(parts, id));

/** Follows all refunds of a charge. */
export async function followCharge(parts: BillingParts, id: string): Promise<void> {
  const refunds = await parts.stripe.get<StripeList<StripeRefund>>('/v1/refunds', { charge: id, limit: 100 });
  for (const refund of refunds.data) await followRefund(parts, refund.id);
}

/** Takes back what a dispute has reversed, or gives it back once the dispute is won. */
export const followDispute = (parts: BillingParts, id: string): Promise<void> =>
  reverse(parts, () => readDispute(parts, id));

/** Reads the present state of a refund or a dispute. */
type Read = () => Promise<PaymentReversal>;

/** Takes back what a refund or a dispute has reversed of a payment for credit. */
async function reverse(parts: BillingParts, read: Read): Promise<void> {
  const first = await read();
  if (first.paymentId === null) return;
  const payment = await readPayment(parts, first.paymentId);
  const purchase = purchaseOf(payment);
  if (!purchase) {
    if (!first.isOver) reportReversal(parts, { ...reportedOf(first), accountId: null, ...nothingTaken });
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
  await takeBack(parts, { account, payment, purchase, read });
}

const nothingTaken = { wantedMicrocredits: 0, takenMicrocredits: 0, debtMicrocredits: 0 };

const reportedOf = ({ step, id, paymentId }: PaymentReversal) => ({ step, objectId: id, payment: paymentId });

function problemOf(
  { cents, currency }: PaymentReversal,
  payment: StripePayment,
): 'amount' | 'currency' | undefined {
  if (!Number.isSafeInteger(cents) || cents < 0) return 'amount';
  return currency !== undefined && currency !== payment.currency ? 'currency' : undefined;
}

type Taking = { account: Account; payment: StripePayment; purchase: Purchase; read: Read };

/**
 * Saves what is taken before the ledger has it, and only one writer can save it. So a refund and a dispute
 * that are reported at once, even to different nodes, never take the same money twice. A process that ends in
 * between leaves entries that the next message writes.
 */
async function takeBack(parts: BillingParts, taking: Taking): Promise<void> {
  const saved = await untilSaved('the payment', () => saveReversal(parts, taking));
  const { account } = taking;
  const { object, record } = saved;
  await writeTakings(parts, account, record);
  if (object.isOver) return;
  const debtMicrocredits = await debtOf(parts, account);
  const wantedMicrocredits = takenFor(object.id, record.body);
  reportReversal(parts, {
    ...reportedOf(object),
    accountId: account.id,
    wantedMicrocredits,
    debtMicrocredits,
    takenMicrocredits: Math.max(0, wantedMicrocredits - debtMicrocredits),
  });
}

type SavedReversal = { object: PaymentReversal; record: BillingRecord<'reversal'> };

/** Saves what the present state of the refund or dispute takes of the payment. */
async function saveReversal(
  parts: BillingParts,
  { account, payment, purchase, read }: Taking,
): Promise<SavedReversal | 'conflict'> {
  const record = await reversalOf(parts, account, payment);
  // The state is read after the record, so that a writer with a newer state is noticed.
  const object = await read();
  const { id, step, cents, isOver } = object;
  const creditedMicrocredits = microcreditsOfCents(purchase.cents);
  const credited = { creditedMicrocredits, receivedCents: payment.amount_received };
  const body = withObject(record.body, { id, step, cents, isOver }, credited);
  const changed = withChange(record, { body });
  if ((await parts.store.saveBilling(changed)) === 'conflict') return 'conflict';
  return { object, record: changed };
}

async function reversalOf(
  parts: BillingParts,
  account: Account,
  payment: StripePayment,
): Promise<BillingRecord<'reversal'>> {
  const { store, clock } = parts;
  const record = await store.findBilling('reversal', payment.id);
  if (record) return record;
  const takenBefore = await takenByEarlierVersions(parts, payment.id);
  await store.addBilling(
    newRecord({
      kind: 'reversal',
      id: payment.id,
      accountId: account.id,
      createdAt: clock.now(),
      body: { ...noReversal, takenBefore },
    }),
  );
  // Another process may have added the record. No record is ever removed.
  return (await store.findBilling('reversal', payment.id))!;
}

/** Writes the entries that the ledger does not have yet. */
async function writeTakings(
  { ledger, accounts, clock }: BillingParts,
  account: Account,
  { id: paymentId, body: { takings, objects } }: BillingRecord<'reversal'>,
): Promise<void> {
  for (const [index, { objectId, microcredits }] of takings.entries()) {
    const id = paymentEntryId('reversal', `${paymentId} ${index}`);
    if (await ledger.findEntry(id)) continue;
    // Each taking is saved together with its refund or dispute.
    const { step } = objects[objectId]!;
    const name = `${step === 'refund' ? 'Refund' : 'Dispute'} ${objectId}`;
    const reason = microcredits > 0 ? `${name} of payment ${paymentId}` : `${name} is over`;
    const entry = {
      id,
      accountId: account.id,
      at: clock.now(),
      kind: 'adjustment' as const,
      period: PURCHASED,
      microcredits: -microcredits,
      receipt: null,
      reason,
    };
    if (!(await ledger.give(entry, { mayOwe: true })))
      throw new Error('The balance would exceed the maximum of an account.');
    await accounts.record('credit-adjustment', account.id, {
      before: null,
      after: { entry: id, microcredits: -microcredits, [step]: objectId },
      actor: STRIPE,
    });
  }
}

const takenFor = (id: string, { takings }: ReversalBody): number =>
  takings.reduce((sum, { objectId, microcredits }) => sum + (objectId === id ? microcredits : 0), 0);

async function debtOf({ ledger, plans }: BillingParts, account: Account): Promise<number> {
  const period = await currentPeriod(ledger, account, plans());
  return (await ledger.balances(account.id, period)).debtMicrocredits;
}
