/** The count of one request against the limits. */
export type LimitCount = {
  /** Replaces the estimate by the actual number of tokens. */
  correct(tokens: number): void;
  /** Ends the count against the concurrency limit. Later calls do nothing. */
  release(): void;
  /** Gives everything back, for a request that is refused after its admission. */
  withdraw(): void;
};

/** Counts nothing, for a request that no limits apply to. */
export const UNLIMITED: LimitCount = { correct() {}, release() {}, withdraw() {} };
