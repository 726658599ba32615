export type Backoff = {
  /** The pause after the first failure. */
  firstMs: number;
  maxMs: number;
  /** Each pause is longer than the one before by this factor. */
  factor?: number;
};

/** Returns the pause after a failure. `before` is the number of consecutive failures before this one. */
export const backoffMs = (before: number, { firstMs, maxMs, factor = 2 }: Backoff): number =>
  Math.min(maxMs, firstMs * factor ** before);
