/** Charges below their list cost. They are written together with their entries. */
export interface ShortfallStore {
  /** Returns the accounts whose shortfalls since a time are above an amount, in the order of their ids. */
  exceededShortfalls(question: {
    since: number;
    above: number;
    limit: number;
  }): Promise<{ accountId: string; microcredits: number }[]>;
  clearShortfalls(accountId: string): Promise<void>;
  sweepShortfalls(before: number): Promise<void>;
}
