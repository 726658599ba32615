/** USD per million tokens. If `cachedInput` is null, cached input costs the same as input. */
export type ListedPrices = { input: number; output: number; cachedInput: number | null };

/**
 * Millionths of a micro-credit per token.
 * Prices with up to eight decimals are exact, and the ninth is rounded to an even digit.
 */
export type Rates = { input: number; cachedInput: number; output: number };

/** The units of one USD per million tokens, which is 500 micro-credits a token. */
const UNITS_PER_USD_PER_MILLION = 500_000_000;

/** Returns the rate of a price in USD per million tokens. */
export const rateOf = (usdPerMillion: number): number =>
  Math.round(usdPerMillion * UNITS_PER_USD_PER_MILLION);

/** Returns the price in USD per million tokens. */
export const priceOfRate = (rate: number): number => rate / UNITS_PER_USD_PER_MILLION;

/** Returns the rates of listed prices. */
export const ratesOf = ({ input, output, cachedInput }: ListedPrices): Rates => ({
  input: rateOf(input),
  cachedInput: rateOf(cachedInput ?? input),
  output: rateOf(output),
});
