/**
 * The refusals of one hour, account, code and cause by one process. `hour` counts since 1970, the times are
 * in milliseconds.
 */
export type RefusalSum = {
  hour: number;
  /** The account. It is '' for requests without a valid key. */
  accountId: string;
  code: string;
  /**
   * Names the cause of the refusal: the limit or the missing resource. It is the code if there is no more
   * specific word.
   */
  cause: string;
  node: string;
  /** A number that is unique among the sums of a node for the same refusals. */
  part: number;
  count: number;
  firstAt: number;
  lastAt: number;
};
