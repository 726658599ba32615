/** An inconsistency of the ledger. */
export type LedgerFault = {
  /** `null` means that the fault belongs to no account. */
  accountId: string | null;
  what: string;
  recorded: string | number;
  recomputed: string | number;
};
