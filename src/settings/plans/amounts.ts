/**
 * The largest amount of credits in a configuration, a grant or a purchase. Sums of these amounts stay exact.
 */
export const MAX_CREDITS = 1_000_000_000;

/** The price of `MAX_CREDITS`. */
export const MAX_USD = 2_000_000;

/**
 * The highest price per million tokens. The largest counted request costs at most `MAX_CREDITS` at this
 * price.
 */
export const MAX_USD_PER_MTOK = 10_000;

/** The highest price of one image, one second or one request. A price of one unit stays exact. */
export const MAX_USD_PER_UNIT = 10;
