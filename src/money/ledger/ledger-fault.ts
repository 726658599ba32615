/** An inconsistency of the ledger. `accountId` is null if the fault belongs to no account. */
export type LedgerFault = {
  accountId: string | null;
  what: string;
  recorded: string | number;
  recomputed: string | number;
};
