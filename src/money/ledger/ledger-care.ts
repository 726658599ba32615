import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Entry } from './entry.ts';
import type { LedgerFault } from './ledger-fault.ts';

/** `counted`: how many of the entries have a number up to the given one. */
export type VerifiedAccount = { entries: number; counted: number; faults: LedgerFault[] };

/** An account that is not served because an entry cannot be read or a repair is under way. */
export type Quarantine = { accountId: string; since: number; reason: string };

/** `keepsBalances`: adjustments preserve the stored balances. Otherwise the readable entries decide. */
export type RepairOrder = { accountId: string; keepsBalances: boolean; at: number };
/** The faults that a repair found, and the entries that it added. */
export type RepairedAccount = { entries: number; faults: LedgerFault[]; added: Entry[] };

/** The entries that one call moved, and the number and size of the compressed segments that have them now. */
export type ArchivedEntries = { entries: number; segments: number; bytes: number };

/** Verification, quarantine and repair of the ledger. */
export interface LedgerCare {
  /** Lists, in order, the accounts with any ledger data. */
  ledgerAccounts(page: { limit: number; after?: string | undefined }): Promise<string[]>;
  /** Recomputes an account's hashes, balances and sums from its entries. */
  verifyAccount(accountId: string, upTo?: number): Promise<VerifiedAccount>;
  /** Returns the number of the last entry that the balances include. */
  lastEntry(): MaybeLater<number>;
  /**
   * Checks data that belongs to no account. `counted` is the number of entries in all chains up to a number;
   * the rest are in no chain.
   */
  verifyStore(counted: { upTo: number; entries: number }): Promise<LedgerFault[]>;

  quarantineOf(accountId: string): MaybeLater<Quarantine | undefined>;
  quarantined(): readonly Quarantine[];
  /** Registers a callback for accounts that are quarantined from now on. */
  onQuarantine(observe: (quarantine: Quarantine) => void): void;

  /**
   * Rebuilds an account's derived data from its entries, and accepts each damaged entry by a repair entry.
   * The account is then served again. Returns undefined while requests of the account are under way.
   */
  repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined>;
  /**
   * Accepts the current data that belongs to no account, and removes damaged holds.
   * Returns the number of removed holds.
   */
  repairStore(): Promise<{ removedHolds: number }>;

  /**
   * Moves the oldest entries into compressed segments, up to the first entry that is not before the time.
   * Pages, receipts, repairs and verification continue to read them. Other calls are served meanwhile.
   * Returns undefined while a different call is under way.
   */
  archiveEntries(order: { before: number }): Promise<ArchivedEntries | undefined>;
}
