import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import { meteredRange } from '../../money/ledger/metered-range.ts';
import type { MeteredRates } from '../../money/ledger/metered-rates.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import { highestCost, type RateChoices, rowsByCost, type UncachedTokens } from './rate-choices.ts';
import type { WorstCost } from './worst-cost.ts';

/** A request to a metered endpoint, with the prices that it can have. */
export type MeteredCostQuestion = {
  /** The quantities that the request asks for. */
  ask: MeteredAsk;
  /** The most tokens that it can use. */
  tokens: UncachedTokens;
  /** The rates that the tokens can have. */
  rates: RateChoices;
  /** The prices of the quantities. Undefined if the quantities cost nothing. */
  metered: MeteredRates | undefined;
};

/**
 * Computes the most that a request to a metered endpoint can cost. The gateway cannot shorten such a request
 * as it shortens an answer, so the least that it needs is the whole cost.
 */
export function meteredWorstCost({ ask, tokens, rates, metered }: MeteredCostQuestion): WorstCost {
  const quantityUnits = metered ? meteredRange(ask, metered).most : 0n;
  const cost = highestCost(tokens, rates) + costOfUnits(quantityUnits);
  return {
    output: 0,
    hasNoCeiling: false,
    hosted: [],
    least: cost,
    most: cost,
    priceRows: () => rowsByCost(tokens, rates),
    planFor: () => ({ output: 0, grants: [] }),
    ceilingFor: () => 0,
  };
}
