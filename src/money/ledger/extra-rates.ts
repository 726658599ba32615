import {
  type CallPrice,
  callPriceNames,
  type FactorPrice,
  factorPriceNames,
  type PriceName,
  type TokenPrice,
  tokenPriceNames,
} from '../../translation/canonical/price-name.ts';
import { rateOf } from './rates.ts';
import { tokenParts } from './token-parts.ts';

/**
 * The rates of a model for usage beyond its three: millionths of a micro-credit per token or call, and
 * factors.
 */
export type ExtraRates = {
  units: Readonly<Partial<Record<CallPrice | TokenPrice, number>>>;
  factors: Readonly<Partial<Record<FactorPrice, number>>>;
};

/** The prices of `extras_usd` as listed. */
export type ExtraPrices = Readonly<Partial<Record<PriceName, number>>>;

/** Calls are priced per thousand, and rates per million. */
const THOUSANDS_PER_MILLION = 1_000;

/** Prices of a snapshot never change, and every request converts them. */
const converted = new WeakMap<ExtraPrices, ExtraRates>();

/** Converts prices as listed. A missing price stays missing. */
export function extraRatesOf(prices: ExtraPrices): ExtraRates {
  const convertedRates = converted.get(prices);
  if (convertedRates) return convertedRates;
  const rates = convert(prices);
  converted.set(prices, rates);
  return rates;
}

function convert(prices: ExtraPrices): ExtraRates {
  const units: Partial<Record<CallPrice | TokenPrice, number>> = {};
  const factors: Partial<Record<FactorPrice, number>> = {};
  for (const name of callPriceNames)
    if (prices[name] !== undefined) units[name] = rateOf(prices[name] * THOUSANDS_PER_MILLION);
  for (const name of tokenPriceNames) if (prices[name] !== undefined) units[name] = rateOf(prices[name]);
  for (const name of factorPriceNames) if (prices[name] !== undefined) factors[name] = prices[name];
  return { units, factors };
}

/** Multiplies the prices of tokens. Calls and factors stay as they are. */
export function scaledExtras(
  { units, factors }: ExtraRates,
  by: Readonly<Record<'input' | 'output', number>>,
): ExtraRates {
  const scaled = { ...units };
  for (const name of tokenPriceNames) {
    const price = units[name];
    if (price !== undefined) scaled[name] = Math.round(price * by[tokenParts[name].of]);
  }
  return { units: scaled, factors };
}
