/** A charge, read from the ledger. */
export type Charge = {
  requestId: string;
  accountId: string;
  keyId: string;
  at: number;
  period: string;
  microcredits: number;
  model: string;
  /** The tokens of the prompt, and those of them that were read from a cache. */
  input: number;
  cached: number;
  output: number;
  outcome: string;
  isEstimated: boolean;
  /** True if the usage was known later, so that another entry has the difference. */
  isAdjusted: boolean;
  /** The time at which the entry was written. Undefined if the store does not keep it. */
  postedAt?: number;
};

/** The amount of an entry: a usage, or credit that was given or taken back. */
export type Amount = {
  id: string;
  accountId: string;
  kind: string;
  period: string;
  microcredits: number;
  isUsage: boolean;
};

export type Item = { batchId: string; customId: string; requestId: string };

/** Reads the rows of the ledger while the gateway uses them, without code of the gateway. */
export interface LedgerReader {
  charges(): Promise<Charge[]>;
  /** Returns all amounts, in the order of the ledger. */
  amounts(): Promise<Amount[]>;
  items(): Promise<Item[]>;
  isCharged(requestId: string): Promise<boolean>;
  countHolds(): Promise<number>;
  /** Lists the rules of the ledger that sums over its rows break. */
  contradictions(): Promise<string[]>;
}
