import type { Charge } from './charge.ts';
import type { Receipt } from './entry.ts';
import type { Posting } from './ledger-store.ts';

/**
 * Returns the receipt of a posting.
 * It includes the limit that kept the charge, or the key's month, below the cost.
 */
export function chargedReceipt({ receipt, costMicrocredits }: Posting, charged: Charge): Receipt {
  const { microcredits, keyMicrocredits, bound } = charged;
  const beyondCapMicrocredits = microcredits - keyMicrocredits;
  if (bound === null && beyondCapMicrocredits === 0) return receipt;
  return {
    ...receipt,
    ...(bound && { shortfall: { listCostMicrocredits: costMicrocredits, bound } }),
    ...(beyondCapMicrocredits > 0 && { beyondCapMicrocredits }),
  };
}
