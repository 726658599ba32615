import type { Account } from '../../money/accounts/account.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { paymentEntryId } from './payment-entry-id.ts';

/** Writes the entries that the ledger does not have yet. */
export async function writeTakings(
  { ledger, clock }: BillingParts,
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
    const at = clock.now();
    const entry = {
      id,
      accountId: account.id,
      at,
      kind: 'adjustment' as const,
      period: PURCHASED,
      microcredits: -microcredits,
      receipt: null,
      reason,
    };
    const audit = {
      at,
      actor: STRIPE,
      action: 'credit-adjustment' as const,
      target: account.id,
      before: null,
      after: { entry: id, microcredits: -microcredits, [step]: objectId },
    };
    if (!(await ledger.give(entry, { mayOwe: true, audit })))
      throw new Error('The balance would exceed the maximum of an account.');
  }
}
