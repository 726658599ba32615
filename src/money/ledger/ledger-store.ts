import type { FinishedJob, JobIdentity } from '../../base/jobs/job.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { AuditEntry } from '../accounts/audit.ts';
import type { Entry, Receipt, WrittenEntry } from './entry.ts';
import type { Hold, HoldOrder, Shortage } from './hold.ts';
import type { LedgerCare } from './ledger-care.ts';
import type { Period } from './period.ts';
import type { ShortfallSums } from './shortfall.ts';
import type { SpendWatch } from './spend-watch.ts';
import type { StoredResponse } from './stored-response.ts';
import type { AdmittedPrices } from './usage-prices.ts';

/** An account's balances in micro-credits. */
export type AccountBalances = {
  /** The period's used credits. */
  usedMicrocredits: number;
  /** The credits granted beyond the plan's. */
  grantedMicrocredits: number;
  /** The remaining purchased credit, including held credit. It is zero while there is a debt. */
  purchasedMicrocredits: number;
  /** The amount that reversed payments have taken beyond the credit that was neither used nor held. */
  debtMicrocredits: number;
  /**
   * All purchases less what was used and taken back. It is below zero if more was taken back than was left.
   */
  netPurchasedMicrocredits: number;
};

/** The balances of a period alone. */
export type PeriodBalances = Pick<AccountBalances, 'usedMicrocredits' | 'grantedMicrocredits'>;

export type GiveOptions = {
  /** The amount that is taken can exceed the free credit, and becomes a debt. */
  mayOwe?: boolean;
  /** The audit entry, which is written with the entry or not at all. */
  audit?: AuditEntry;
};

/**
 * The charge of a request, with the stored response or batch result that becomes readable with it. A batch
 * item's attempt that no longer counts is not charged.
 */
export type Posting = {
  hold: Hold;
  receipt: Receipt;
  costMicrocredits: number;
  /** The charged amount. The store sets it when the charge is written. */
  chargedMicrocredits?: number | undefined;
  response?: StoredResponse | undefined;
  job?: FinishedJob | undefined;
  /** The prices that the hold of a batch item keeps until a provider has answered the item. */
  prices?: AdmittedPrices | undefined;
};

/** The state of a hold while its request is under way. */
export type HoldCheckpoint = {
  /** The posting for the hold if its request ended now. */
  posting: Posting;
  /** True if the request has output. If the process ends, such a hold is posted. Others are voided. */
  produced: boolean;
  /** The batch item of the hold, if a provider works on the item. Such a hold outlives the process. */
  away?: JobIdentity;
};

export type UsageGrouping = 'model' | 'key' | 'day';
/** `from` is inclusive, `to` is exclusive. Both are full hours. */
export type UsageQuestion = { accountId: string; from: number; to: number; by: UsageGrouping };

/** The sums of one group of usage. */
export type UsageSum = {
  /** The id of the model or key, or the day as `2026-11-21`. */
  group: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  microcredits: number;
};

/** A page of entries. `after` is the last id of the previous page. */
export type EntryPage = { accountId: string; limit: number; after?: string | undefined };
/** `damaged`: holds whose rows were changed. They stay in place and are not billed. */
export type RecoveredHolds = { billed: number; voided: number; damaged?: number };

/**
 * The storage port for money. A hold is decided and taken in one step. Changes of a balance are durable when
 * their promise resolves. An entry is written once per id.
 */
export interface LedgerStore extends LedgerCare {
  balances(accountId: string, period: Period): MaybeLater<AccountBalances>;
  /**
   * Returns the period's balances as of the account's latest hold or charge in this process. Without such a
   * hold or charge they are read from the store.
   */
  recentBalances(accountId: string, period: Period): MaybeLater<PeriodBalances>;

  /** Returns the tokens that the plan has paid for on the day. Plans with a daily token limit use it. */
  tokensOn(accountId: string, at: number): MaybeLater<number>;
  /**
   * Returns the amount that counts against a key's cap in the calendar month. Charges beyond the cap do not
   * count.
   */
  keySpent(accountId: string, of: { keyId: string; at: number }): MaybeLater<number>;

  /** Returns the amount that a hold would reserve now, or the shortage. Reserves nothing. */
  afford(order: HoldOrder): MaybeLater<number | Shortage>;
  hold(order: HoldOrder): MaybeLater<Hold | Shortage>;
  /** Charges the cost of a request. Purchased credit and a key's cap limit the charge. */
  post(posting: Posting): Promise<void>;
  /** Posts charges of an earlier process that were spooled and have no open hold. */
  replay(postings: readonly Posting[]): Promise<void>;
  /**
   * Releases a hold without a charge. The first posting or void of a hold wins; later ones do nothing. It
   * never rejects: a store that is away releases the hold later.
   */
  void(hold: Hold): MaybeLater<void>;
  /** Saves open holds so that the next process can recover them after a crash. */
  checkpoint(holds: readonly HoldCheckpoint[]): Promise<void>;
  /**
   * Ends the holds of an earlier process. Holds with output are posted and the others voided. Holds of items
   * at a provider are restored even if they no longer fit. It must run before the first hold.
   */
  recoverHolds(): Promise<RecoveredHolds>;
  /** Returns, once, the restored hold of an item at a provider. */
  reclaim(requestId: string): MaybeLater<Posting | undefined>;
  /** Voids the restored holds of a batch that were not reclaimed. Like `void`, it never rejects. */
  voidUnclaimed(batch: number): MaybeLater<void>;

  /** Registers the observer of charges, of refused holds and of purchases from now on. */
  watchSpending(watch: SpendWatch): void;

  /** The charges below their list cost that this process has written. */
  readonly shortfalls: ShortfallSums;
  /** Registers a callback for such charges from now on. */
  onShortfall(observe: () => void): void;

  /**
   * Writes a grant, purchase or adjustment.
   * Returns false if it takes more than the balance, or exceeds the largest safe integer.
   */
  give(entry: Entry, options?: GiveOptions): Promise<boolean>;
  /**
   * Records the start of a period once, as a renewal unless it is the account's first cycle.
   * A posting also does this.
   */
  openPeriod(accountId: string, period: Period): Promise<void>;

  /** Lists entries newest first. Returns undefined if the entry `after` does not exist. */
  listEntries(page: EntryPage): Promise<{ items: WrittenEntry[]; hasMore: boolean } | undefined>;
  findEntry(id: string): Promise<WrittenEntry | undefined>;
  sumUsage(question: UsageQuestion): Promise<UsageSum[]>;
}
