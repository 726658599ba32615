/** The largest amount of credits that a configuration, an administrator or a purchase can set: sums of them stay exact numbers. */
export const MOST_CREDITS = 1_000_000_000;

/** What that many credits cost. */
export const MOST_USD = 2_000_000;

/** Per million tokens. A request of the most tokens that are counted costs at most `MOST_CREDITS` at this price. */
export const MOST_USD_PER_MTOK = 10_000;
