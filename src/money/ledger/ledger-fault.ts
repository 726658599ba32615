/** Where a ledger contradicts itself. `accountId` null: in what is no account's. */
export type LedgerFault = {
  accountId: string | null;
  what: string;
  recorded: string | number;
  recomputed: string | number;
};
