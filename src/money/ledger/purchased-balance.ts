import type { AccountBalances } from './ledger-store.ts';

type Sums = { granted: number; used: number; held: number };

/** Returns the part of purchased credit that is neither used nor held. It is below zero in debt. */
export const freePurchased = ({ granted, used, held }: Sums): number => granted - used - held;

/**
 * Returns the rest of purchased credit. A refund or dispute takes back its whole amount, so it can take more
 * than is free. The rest is a debt, which ends as holds are released and credit is bought.
 */
export function purchasedBalance(
  sums: Sums,
): Pick<AccountBalances, 'purchasedMicrocredits' | 'debtMicrocredits' | 'netPurchasedMicrocredits'> {
  const debtMicrocredits = Math.max(0, -freePurchased(sums));
  const netPurchasedMicrocredits = sums.granted - sums.used;
  const purchasedMicrocredits = debtMicrocredits > 0 ? 0 : netPurchasedMicrocredits;
  return { purchasedMicrocredits, debtMicrocredits, netPurchasedMicrocredits };
}
