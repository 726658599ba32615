import type { LedgerFault } from '../../money/ledger/ledger-fault.ts';

/** Returns a fault of data that belongs to no account. */
export const storeFault = (
  what: string,
  recorded: string | number,
  recomputed: string | number,
): LedgerFault => ({
  accountId: null,
  what,
  recorded,
  recomputed,
});
