import type { VerifiedLedger } from './verify-ledger.ts';

/** Where the ledger contradicts itself, as the admin API and the command line tell it. */
export const verificationView = ({ accounts, entries, faults }: VerifiedLedger) => ({
  accounts,
  entries,
  faults: faults.map(({ accountId, ...fault }) => ({ account_id: accountId, ...fault })),
});
