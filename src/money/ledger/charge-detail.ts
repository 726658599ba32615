import { type ChargedTokens, costOfTokens, costOfUnits } from './cost-of-usage.ts';
import type { Rates } from './rates.ts';

/** One dimension of a charge beyond the model's three rates. */
export type ChargeLine = {
  dimension: string;
  /** The model whose tokens they are. `null` means the one that served. */
  model: string | null;
  count: number;
  /** Millionths of a micro-credit per token or call. */
  rate: number;
  /** The total of the receipt that includes the tokens. `null` means calls, which no total includes. */
  of: keyof Rates | null;
};

/** `factors`: what the three rates of the receipt were multiplied by, and why. */
export type ChargeDetail = {
  lines: readonly ChargeLine[];
  factors: readonly (readonly [dimension: string, factor: number])[];
};

/** Computes the cost of a charge with all its dimensions. The sum is exact and rounded up once. */
export function costOfCharge(tokens: ChargedTokens, rates: Rates, detail: ChargeDetail | undefined): number {
  if (detail === undefined || detail.lines.length === 0) return costOfTokens(tokens, rates);
  let units =
    BigInt(tokens.input - tokens.cachedInput) * BigInt(rates.input) +
    BigInt(tokens.cachedInput) * BigInt(rates.cachedInput) +
    BigInt(tokens.output) * BigInt(rates.output);
  for (const { count, rate, of } of detail.lines)
    units += BigInt(count) * (BigInt(rate) - BigInt(of === null ? 0 : rates[of]));
  return costOfUnits(units > 0n ? units : 0n);
}
