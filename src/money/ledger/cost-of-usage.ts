import { inputTotal, MAX_TOKENS, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Rates } from './rates.ts';

/** Tokens as charged. `input` is the total input; `cachedInput` is the part read from a cache. */
export type ChargedTokens = { input: number; cachedInput: number; output: number };

/** Charged tokens with two subsets at the same price: input written to a cache, and reasoning output. */
export type CountedTokens = ChargedTokens & { cacheWriteInput: number; reasoning: number };

const UNITS_PER_MICROCREDIT = 1_000_000;
const MAX_COST = BigInt(Number.MAX_SAFE_INTEGER);

/** Rounds a reported count up, within what a request can use. A count that is not positive is 0. */
export const chargedCount = (reported: number): number =>
  reported > 0 ? Math.min(Math.ceil(reported), MAX_TOKENS) : 0;

/**
 * Returns the tokens as they are priced: input that is written to a cache as input, and hidden reasoning as
 * output.
 */
export function chargedTokens(usage: Usage): CountedTokens {
  const input = chargedCount(inputTotal(usage));
  const cachedInput = Math.min(chargedCount(usage.input.cacheRead ?? 0), input);
  const output = chargedCount(outputTotal(usage));
  return {
    input,
    cachedInput,
    output,
    cacheWriteInput: Math.min(chargedCount(usage.input.cacheWrite ?? 0), input - cachedInput),
    reasoning: Math.min(chargedCount(usage.output.thinking ?? 0), output),
  };
}

/** Returns the cost in micro-credits. The sum is exact and rounded up once. */
export function costOfTokens(tokens: ChargedTokens, rates: Rates): number {
  const { input, cachedInput, output } = tokens;
  const units = (input - cachedInput) * rates.input + cachedInput * rates.cachedInput + output * rates.output;
  if (units > Number.MAX_SAFE_INTEGER) return largeCost(tokens, rates);
  const remainder = units % UNITS_PER_MICROCREDIT;
  return (units - remainder) / UNITS_PER_MICROCREDIT + (remainder > 0 ? 1 : 0);
}

/** Returns the cost of counts beyond the exact range of numbers. */
const largeCost = ({ input, cachedInput, output }: ChargedTokens, rates: Rates): number =>
  costOfUnits(
    BigInt(input - cachedInput) * BigInt(rates.input) +
      BigInt(cachedInput) * BigInt(rates.cachedInput) +
      BigInt(output) * BigInt(rates.output),
  );

/** Rounds millionths of a micro-credit up to micro-credits. */
export function costOfUnits(units: bigint): number {
  const perMicrocredit = BigInt(UNITS_PER_MICROCREDIT);
  const microcredits = (units + perMicrocredit - 1n) / perMicrocredit;
  return Number(microcredits > MAX_COST ? MAX_COST : microcredits);
}
