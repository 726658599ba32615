import type { StripePayment } from './stripe/stripe-objects.ts';

/** The currency of the price of credit. */
export const CREDIT_CURRENCY = 'usd';

/**
 * The members of `metadata` that mark a payment as a purchase of credit. The gateway writes them when it
 * starts the payment.
 */
export type PurchaseMark = { account_id: string; credit_cents: string };

/** Returns the mark of a purchase of credit for this price. */
export const purchaseMark = (accountId: string, cents: number): PurchaseMark => ({
  account_id: accountId,
  credit_cents: String(cents),
});

export type Purchase = { accountId: string; cents: number };
/** A purchase that is neither credited nor taken back, since it is not what the gateway has asked for. */
export type RefusedPurchase = { accountId: string; problem: 'currency' | 'amount' };

/**
 * Returns the account and the paid amount of a purchase. Returns undefined if the payment is for something
 * else.
 */
export function purchaseOf({
  metadata,
  currency,
  amount_received: received,
}: StripePayment): Purchase | RefusedPurchase | undefined {
  const { account_id: accountId, credit_cents: marked } = metadata;
  if (!accountId || marked === undefined) return undefined;
  if (currency.toLowerCase() !== CREDIT_CURRENCY) return { accountId, problem: 'currency' };
  const isAmount = /^\d{1,9}$/.test(marked) && Number.isSafeInteger(received) && received >= 0;
  if (!isAmount) return { accountId, problem: 'amount' };
  // Taxes make the received amount larger than the credit.
  return { accountId, cents: Math.min(Number(marked), received) };
}
