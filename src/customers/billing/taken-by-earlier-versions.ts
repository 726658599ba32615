import type { BillingParts } from './billing-parts.ts';
import { paymentEntryId } from './payment-entry-id.ts';
import { listObjects } from './stripe/list-objects.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeDispute, StripeRefund } from './stripe/stripe-objects.ts';

/**
 * Sums the amounts that earlier versions have taken back of a payment. They wrote one entry for each refund
 * or dispute, and one for its return.
 * The objects are listed, since the ledger finds an entry by its id alone.
 */
export async function takenByEarlierVersions(parts: BillingParts, paymentId: string): Promise<number> {
  const refunds = await listOf<StripeRefund>(parts, '/v1/refunds', paymentId);
  const disputes = await listOf<StripeDispute>(parts, '/v1/disputes', paymentId);
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
async function listOf<Item extends { id: string; payment_intent: string | null }>(
  { stripe }: BillingParts,
  path: string,
  paymentId: string,
): Promise<readonly Item[]> {
  try {
    const items = await Array.fromAsync(listObjects<Item>(stripe, path, { payment_intent: paymentId }));
    return items.filter(({ payment_intent }) => payment_intent === paymentId);
  } catch (error) {
    if (error instanceof StripeFailure && error.isFinal) return [];
    throw error;
  }
}
