export type Backoff = {
  /** The pause after the first failure. */
  firstMs: number;
  maxMs: number;
  /** Each pause is this many times as long as the last pause. */
  factor?: number;
};

/** Returns the pause after a failure. `before` is the number of consecutive failures before this one. */
export const backoffMs = (before: number, { firstMs, maxMs, factor = 2 }: Backoff): number =>
  Math.min(maxMs, firstMs * factor ** before);
