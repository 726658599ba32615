/** USD per million tokens. `cachedInput` null: repeated context earns no discount. */
export type ListedPrices = { input: number; output: number; cachedInput: number | null };

/** Millionths of a micro-credit per token, exact: a price with nine decimals is a whole number of them. */
export type Rates = { input: number; cachedInput: number; output: number };

/** One USD per million tokens is 500 micro-credits a token. */
const UNITS_PER_USD_PER_MILLION = 500_000_000;

const rateOf = (usdPerMillion: number): number => Math.round(usdPerMillion * UNITS_PER_USD_PER_MILLION);

/** USD per million tokens. */
export const priceOfRate = (rate: number): number => rate / UNITS_PER_USD_PER_MILLION;

export const ratesOf = ({ input, output, cachedInput }: ListedPrices): Rates => ({
  input: rateOf(input),
  cachedInput: rateOf(cachedInput ?? input),
  output: rateOf(output),
});
