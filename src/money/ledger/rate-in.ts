import type { FactorPrice } from '../../translation/canonical/price-name.ts';
import { baseRates, type RatesInRows, rowFor } from './rate-row.ts';
import type { Rates } from './rates.ts';
import { REGION, type ServedWay } from './served-way.ts';

/** The rates by the row that applies. */
export type RateInRow = {
  /** The name of the row. Undefined if the base rates apply. */
  name: string | undefined;
  rates: Rates;
  /** The rates without the factors. */
  unmultiplied: Rates;
  factors: (readonly [FactorPrice, number])[];
  /** The product of the factors. */
  multiplier: number;
  /** The row's factor of token prices beyond the three. */
  extraFactor: number;
};

/**
 * Selects the row for an answer with this input, and multiplies its rates by the factors that the row does
 * not replace.
 */
export function rateIn(all: RatesInRows, ways: readonly ServedWay[], input: number): RateInRow {
  const tiers = ways.flatMap(({ names }) => names.filter((name) => name !== REGION));
  const row = all.rows && rowFor(all.rows, { input, tiers });
  const factors = ways.flatMap(({ names, factor }): [FactorPrice, number][] => {
    const [name] = names;
    const isReplaced = name === REGION ? row?.isRegional : row !== undefined && row.tier !== null;
    return factor === undefined || isReplaced ? [] : [[name, factor]];
  });
  const multiplier = factors.reduce((product, [, factor]) => product * factor, 1);
  const unmultiplied = row?.rates ?? all;
  return {
    name: row?.name,
    unmultiplied,
    factors,
    multiplier,
    extraFactor: row?.factor ?? 1,
    rates: factors.length === 0 ? baseRates(unmultiplied) : multiply(unmultiplied, multiplier),
  };
}

const multiply = ({ input, cachedInput, output }: Rates, factor: number): Rates => ({
  input: Math.round(input * factor),
  cachedInput: Math.round(cachedInput * factor),
  output: Math.round(output * factor),
});
