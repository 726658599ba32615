/** Charges below their list cost. They are written together with their entries. */
export interface ShortfallStore {
  /**
   * Returns the accounts whose shortfalls since a time are above an amount, in the order of their ids, from
   * the one that follows `after` on.
   */
  exceededShortfalls(question: {
    since: number;
    above: number;
    after?: string | undefined;
    limit: number;
  }): Promise<{ accountId: string; microcredits: number }[]>;
  clearShortfalls(accountId: string): Promise<void>;
  sweepShortfalls(before: number): Promise<void>;
}
