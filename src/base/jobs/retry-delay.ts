const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** Up to so much more, so that what failed together is not tried together again. */
const SPREAD = 0.25;

export type Failed = {
  /** Tries that failed, this one included. */
  failures: number;
  /** What the other side asked for. */
  retryAfterMs?: number | undefined;
};

/** How long to wait before the next try: twice as long each time, and no shorter than was asked for. */
export function retryDelayMs({ failures, retryAfterMs = 0 }: Failed, random: () => number): number {
  const backoffMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (1 + SPREAD * random());
  return Math.round(Math.min(LONGEST_MS, Math.max(backoffMs, retryAfterMs)));
}
