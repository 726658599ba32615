import type { Account } from '../../money/accounts/account.ts';
import { microcreditsOfCents } from '../../money/ledger/cents.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { withChange } from './change-record.ts';
import { newRecord } from './new-record.ts';
import type { Purchase } from './purchase-mark.ts';
import { type PaymentReversal, type ReversalKey, readReversal } from './read-reversal.ts';
import { noReversal, withObject } from './reversal-plan.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';
import { takenByEarlierVersions } from './taken-by-earlier-versions.ts';

/** A payment for credit that a refund or a dispute reverses. */
export type ReversedPayment = {
  account: Account;
  payment: StripePayment;
  purchase: Purchase;
  key: ReversalKey;
};

type SavedReversal = { object: PaymentReversal; record: BillingRecord<'reversal'> };

/** Saves what the present state of the refund or dispute takes of the payment. */
export async function saveReversal(
  parts: BillingParts,
  { account, payment, purchase, key }: ReversedPayment,
): Promise<SavedReversal | 'conflict'> {
  const record = await reversalOf(parts, account, payment);
  // The state is read after the record, so that a writer with a newer state is noticed.
  const object = await readReversal(parts, key);
  const { id, step, cents, isOver } = object;
  const creditedMicrocredits = microcreditsOfCents(purchase.cents);
  const credited = { creditedMicrocredits, receivedCents: payment.amount_received };
  const body = withObject(record.body, { id, step, cents, isOver }, credited);
  const changed = withChange(record, { body });
  if ((await parts.store.saveBilling(changed)) === 'conflict') return 'conflict';
  return { object, record: changed };
}

/** Returns the record of all reversals of a payment, which is added if there is none. */
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
