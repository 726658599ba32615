import type { FinishedJob, JobPlace } from '../../base/jobs/job.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { Entry, Receipt, WrittenEntry } from './entry.ts';
import type { Hold, HoldOrder, Shortage } from './hold.ts';
import type { LedgerFault } from './ledger-fault.ts';
import type { Period } from './period.ts';
import type { ShortfallSums } from './shortfall.ts';
import type { StoredResponse } from './stored-response.ts';

/** What an account has, in micro-credits. */
export type AccountBalances = {
  /** Of this period's credits, and what was granted on top of the plan's. */
  usedMicrocredits: number;
  grantedMicrocredits: number;
  /** What is left of purchased credit, held or not. */
  purchasedMicrocredits: number;
};

/**
 * What a request is charged, and what becomes readable with it: the stored response, or the result of a batch's item. Where the item's try
 * does not count any more nothing is charged.
 */
export type Posting = {
  hold: Hold;
  receipt: Receipt;
  costMicrocredits: number;
  response?: StoredResponse | undefined;
  job?: FinishedJob | undefined;
};

/**
 * What a hold would be posted as if its request ended now; `produced` false: as nothing. `away` names the item of a batch that a provider
 * works on: its hold outlives the process.
 */
export type HoldCheckpoint = { posting: Posting; produced: boolean; away?: JobPlace };

export type UsageGrouping = 'model' | 'key' | 'day';
/** `from` counts, `to` does not; both on the hour. */
export type UsageQuestion = { accountId: string; from: number; to: number; by: UsageGrouping };

export type UsageSum = {
  /** The model's or the key's id, or the day as `2026-11-21`. */
  group: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  microcredits: number;
};

export type EntryPage = { accountId: string; limit: number; after?: string | undefined };
/** `damaged`: holds that somebody has changed. They stay where they are, and bill nothing. */
export type RecoveredHolds = { billed: number; voided: number; damaged?: number };

/**
 * What money needs of a store. A hold is decided and taken in one step; whatever changes a balance is durable when its promise resolves.
 * An entry's id makes it one entry, however often it is written.
 */
export interface LedgerStore extends LedgerCare {
  balances(accountId: string, period: Period): MaybeLater<AccountBalances>;

  /** Tokens that the plan has paid for on the day, which is counted where plans have so many a day. */
  tokensOn(accountId: string, at: number): MaybeLater<number>;
  /** What counts against a key's cap in the calendar month: what was charged beyond the cap does not. */
  keySpent(accountId: string, of: { keyId: string; at: number }): MaybeLater<number>;

  /** How much would be held now, or what is missing; nothing is taken. */
  afford(order: HoldOrder): MaybeLater<number | Shortage>;
  hold(order: HoldOrder): MaybeLater<Hold | Shortage>;
  /** Spends what the request cost, or of purchased credit and a key's cap as much of it as there is. */
  post(posting: Posting): Promise<void>;
  /** Posts what an earlier process could not, whose holds nobody has any more. */
  replay(postings: readonly Posting[]): Promise<void>;
  /** Gives back what was held; nothing was used. Of a hold's postings and voids the first counts, and the rest do nothing. */
  void(hold: Hold): void;
  /** Keeps open holds for whoever starts after a crash. */
  checkpoint(holds: readonly HoldCheckpoint[]): Promise<void>;
  /**
   * Ends the holds that an earlier process left behind: those with something produced are posted. Holds of items that a provider still has
   * are taken again, whether or not they fit by now. Before the first hold only.
   */
  recoverHolds(): Promise<RecoveredHolds>;
  /** Hands out, once, the hold that an earlier process left for an item that a provider has. */
  reclaim(requestId: string): Posting | undefined;
  /** Voids the holds of a batch that nobody has reclaimed. */
  voidUnclaimed(batch: number): void;

  /** Charges below their list cost that were written by this process. */
  readonly shortfalls: ShortfallSums;

  /** Grants, purchases and adjustments. False: it would take more than there is, or make more than can be counted. */
  give(entry: Entry): Promise<boolean>;
  /** Writes down that the period has begun, once: a renewal, unless it is the account's first cycle. A posting does so too. */
  openPeriod(accountId: string, period: Period): Promise<void>;

  /** Newest first; undefined: there is no entry `after`. */
  listEntries(page: EntryPage): Promise<{ items: WrittenEntry[]; hasMore: boolean } | undefined>;
  findEntry(id: string): Promise<WrittenEntry | undefined>;
  sumUsage(question: UsageQuestion): Promise<UsageSum[]>;
}

/** `counted`: of the entries those up to a number. */
export type VerifiedAccount = { entries: number; counted: number; faults: LedgerFault[] };

/** An account that is not served, since an entry of its ledger cannot be read, or a repair is under way. */
export type Quarantine = { accountId: string; since: number; reason: string };

/**
 * `keepsBalances`: what is left of each balance stays as it is in the tables, by an adjustment; else the entries that can be read decide.
 */
export type RepairOrder = { accountId: string; keepsBalances: boolean; at: number };
/** What a repair has found and added. */
export type RepairedAccount = { entries: number; faults: LedgerFault[]; added: Entry[] };

/** What keeps a ledger in order: checks, alarms and repairs. */
export interface LedgerCare {
  /** Accounts of which anything is kept, in order, to be checked one by one. */
  ledgerAccounts(page: { limit: number; after?: string | undefined }): Promise<string[]>;
  /** Recomputes an account's hashes, balances and sums from its entries. */
  verifyAccount(accountId: string, upTo?: number): Promise<VerifiedAccount>;
  /** The number of the last entry that is in the balances. */
  lastEntry(): number;
  /** Checks what is no account's. Accounts have so many entries up to a number together; others are in nobody's chain. */
  verifyStore(counted: { upTo: number; entries: number }): Promise<LedgerFault[]>;

  quarantineOf(accountId: string): Quarantine | undefined;
  quarantined(): readonly Quarantine[];
  /** Called for every account that is put into quarantine from now on. */
  onQuarantine(tell: (quarantine: Quarantine) => void): void;

  /**
   * Derives all that is kept of an account from its entries again, accepts damaged ones by an entry for each, and serves it again.
   * Undefined: requests of it are still under way.
   */
  repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined>;
  /** Accepts what is no account's as it stands, and removes holds that nothing can be billed by. Their number. */
  repairStore(): Promise<{ removedHolds: number }>;
}
