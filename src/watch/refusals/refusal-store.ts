import type { RefusalSum } from './refusal-sum.ts';

/** The refusals of one cause. `account` is set if all were of one account. */
export type RefusalGroup = Pick<RefusalSum, 'code' | 'cause' | 'count' | 'firstAt' | 'lastAt'> & {
  accounts: number;
  account: string | null;
};

/** `from` is inclusive and `to` exclusive, in milliseconds. */
export type RefusalQuestion = { from: number; to: number; account?: string | undefined };

/** Keeps the sums of refusals. */
export interface RefusalStore {
  /**
   * Writes sums. A later sum of the same process and part replaces an earlier one, so a write can be
   * repeated.
   */
  saveRefusals(sums: readonly RefusalSum[]): Promise<void>;
  /** Lists the causes, the most frequent first. */
  listRefusals(question: RefusalQuestion): Promise<RefusalGroup[]>;
  /** Removes the sums of the hours before. */
  sweepRefusals(hoursBefore: number): Promise<void>;
}
