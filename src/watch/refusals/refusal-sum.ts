/**
 * The refusals of one hour, account, code and cause by one process.
 * `hour` counts since 1970, the times are in milliseconds.
 */
export type RefusalSum = {
  hour: number;
  /** It is '' for requests without a valid key. */
  accountId: string;
  code: string;
  /**
   * Names the cause of the refusal: the limit or the missing resource.
   * It is the code if there is no more specific word.
   */
  cause: string;
  node: string;
  /** It is unique among the sums of a node for the same refusals. */
  part: number;
  count: number;
  firstAt: number;
  lastAt: number;
};

/** The refusals of one cause. `account` is set if all were of one account. */
export type RefusalGroup = Pick<RefusalSum, 'code' | 'cause' | 'count' | 'firstAt' | 'lastAt'> & {
  accounts: number;
  account: string | null;
};

/** `from` is inclusive and `to` exclusive, in milliseconds. */
export type RefusalQuestion = { from: number; to: number; account?: string | undefined };

export interface RefusalStore {
  /**
   * Writes sums. A later sum of the same process and part replaces an earlier
   * one, so a write can be repeated.
   */
  saveRefusals(sums: readonly RefusalSum[]): Promise<void>;
  /** Lists the causes, the most frequent first. */
  listRefusals(question: RefusalQuestion): Promise<RefusalGroup[]>;
  /** Removes the sums of the hours before. */
  sweepRefusals(hoursBefore: number): Promise<void>;
}
