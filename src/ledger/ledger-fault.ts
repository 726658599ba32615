/** Where a ledger contradicts itself. */
export type LedgerFault = {
  accountId: string;
  what: string;
  recorded: string | number;
  recomputed: string | number;
};
