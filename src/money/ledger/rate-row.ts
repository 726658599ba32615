import { holdsAt, type PriceCondition, type PriceTier } from '../../settings/catalog/price-condition.ts';
import type { FactorPrice } from '../../translation/canonical/price-name.ts';
import { type ListedPrices, type Rates, ratesOf } from './rates.ts';

/** A price row that time and region leave possible. The size and the tier of the answer decide. */
export type RateRow = {
  name: string;
  /** The row holds for answers with more input than this. `null` means all answers. */
  aboveInput: number | null;
  tier: PriceTier | null;
  /** The row is for the region of the request. */
  isRegional: boolean;
  /** The factor of token prices beyond the three. */
  factor: number;
  rates: Rates;
};

/**
 * The base rates of a model for one request, and the rows that can replace them, in the order in which they
 * are tried.
 */
export type RatesInRows = Rates & { rows?: readonly RateRow[] | undefined };

/** Returns the base rates alone, as receipts keep them. */
export const baseRates = (all: RatesInRows): Rates =>
  'rows' in all ? { input: all.input, cachedInput: all.cachedInput, output: all.output } : all;

/** The name of the base rates on receipts. */
export const BASE_ROW = 'base';

/** The time and the region of a request's admission. */
type Admission = { at: number; region: string | undefined };

/** Converts prices, with the rows that can hold for a request that is admitted at this time. */
export function rateRowsOf(
  pricing: ListedPrices & { conditions?: readonly PriceCondition[] | undefined },
  { at, region }: Admission,
): RatesInRows {
  const base = ratesOf(pricing);
  if (pricing.conditions === undefined) return base;
  const rows = pricing.conditions
    .filter(
      (condition) => holdsAt(condition, at) && (condition.region === null || condition.region === region),
    )
    .map((condition) => ({
      name: condition.name,
      aboveInput: condition.aboveInput,
      tier: condition.tier,
      factor: condition.factor,
      isRegional: condition.region !== null,
      rates: ratesOf(condition),
    }));
  return rows.length === 0 ? base : { ...base, rows };
}

/** The facts about an answer that select its row. `tiers`: its tier's names. It is empty for the default. */
export type PricedAnswer = { input: number; tiers: readonly FactorPrice[] };

const isInTier = ({ tier }: RateRow, tiers: PricedAnswer['tiers']): boolean =>
  tier === null || (tier === 'default' ? tiers.length === 0 : tiers.includes(tier));

/** Returns the row that decides the price of an answer, or undefined if the base rates do. */
export const rowFor = (rows: readonly RateRow[], { input, tiers }: PricedAnswer): RateRow | undefined =>
  rows.find((row) => (row.aboveInput === null || input > row.aboveInput) && isInTier(row, tiers));

/**
 * Returns each row that can decide the price in a tier, for some size of the input.
 * Undefined stands for the base rates.
 */
export function possibleRows(
  rows: readonly RateRow[],
  { input: most, tiers }: PricedAnswer,
): (RateRow | undefined)[] {
  const possible: RateRow[] = [];
  /** Larger inputs belong to an earlier row. */
  let largest = most;
  for (const row of rows) {
    const { aboveInput } = row;
    if (!isInTier(row, tiers) || (aboveInput !== null && aboveInput >= largest)) continue;
    possible.push(row);
    if (aboveInput === null) return possible;
    largest = aboveInput;
  }
  return [...possible, undefined];
}

/** Reports whether a tier costs at most the base rates in every row. */
export const isCheapTier = ({ rows = [], ...base }: RatesInRows, tiers: PricedAnswer['tiers']): boolean =>
  rows.every(
    ({ tier, rates }) =>
      tier === null ||
      tier === 'default' ||
      !tiers.includes(tier) ||
      (rates.input <= base.input && rates.cachedInput <= base.cachedInput && rates.output <= base.output),
  );
