/** The time of a key's latest request. */
export type KeyUse = { keyId: string; at: number };

/** The storage port for the times at which keys were last used. */
export interface KeyUseStore {
  /** Keeps the later time of each key. A key may be named once in a call. */
  saveKeyUses(uses: readonly KeyUse[]): Promise<void>;
  /** Returns the times of an account's keys, by their ids. Keys that were never used are absent. */
  keyUses(accountId: string): Promise<Map<string, number>>;
}
