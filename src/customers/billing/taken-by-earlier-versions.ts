import type { BillingParts } from './billing-parts.ts';
import { paymentEntryId } from './payment-entry-id.ts';
import { listObjects } from './stripe/list-objects.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeReversal } from './stripe/stripe-objects.ts';

/**
 * Sums the amounts that earlier versions have taken back of a payment. They wrote one entry for each refund
 * or dispute, and one for its return. The objects are listed, since the ledger finds an entry by its id
 * alone.
 */
export async function takenByEarlierVersions(parts: BillingParts, paymentId: string): Promise<number> {
  const refunds = await listOf(parts, '/v1/refunds', paymentId);
  const disputes = await listOf(parts, '/v1/disputes', paymentId);
  const ids = [
    ...refunds.map(({ id }) => paymentEntryId('refund', id)),
    ...disputes.map(({ id }) => paymentEntryId('dispute', id)),
    ...[...refunds, ...disputes].map(({ id }) => paymentEntryId('returned', id)),
  ];
  let taken = 0;
  for (const id of ids) taken -= (await parts.ledger.findEntry(id))?.microcredits ?? 0;
  return taken || 0;
}

/**
 * Lists the objects of a payment. A restricted key may be refused the list, and then no earlier entry is
 * known.
 */
async function listOf(
  { stripe }: BillingParts,
  path: string,
  paymentId: string,
): Promise<readonly StripeReversal[]> {
  try {
    const reversals = listObjects<StripeReversal>(stripe, path, { payment_intent: paymentId });
    return (await Array.fromAsync(reversals)).filter(({ payment_intent }) => payment_intent === paymentId);
  } catch (error) {
    if (error instanceof StripeFailure && error.isFinal) return [];
    throw error;
  }
}
