import { counted } from '../../base/lib/counted.ts';

/** Returns the size of a verified ledger in words. */
export const ledgerSize = ({ accounts, entries }: { accounts: number; entries: number }): string =>
  `${counted(accounts, 'account')} with ${counted(entries, 'entry', 'entries')}`;
