import { costOfUnits } from '../../money/ledger/cost-of-usage.ts';
import { type MeteredRates, meteredRange } from '../../money/ledger/metered-rates.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import { highestCost, type RateChoices, rowsByCost } from './rate-choices.ts';
import type { WorstCost } from './worst-cost.ts';

type Tokens = { input: number; output: number };

/**
 * Returns the most tokens that a request to a metered endpoint can use. `imageTokens`: the most of one image.
 */
export const maxMeteredTokens = (
  { most: { input, output, imagesIn = 0, imagesOut = 0 } }: MeteredAsk,
  imageTokens: number,
): Tokens => ({ input: input + imagesIn * imageTokens, output: output + imagesOut * imageTokens });

export type MeteredCostQuestion = {
  asked: MeteredAsk;
  /** The most tokens. */
  tokens: Tokens;
  /** The rates that the tokens can have. */
  rates: RateChoices;
  /** The prices of the quantities. They are undefined if the quantities cost nothing. */
  metered: MeteredRates | undefined;
};

/**
 * Computes the most that a request to a metered endpoint can cost.
 * It cannot be made smaller, so the whole of it is held.
 */
export function meteredWorst({ asked, tokens, rates, metered }: MeteredCostQuestion): WorstCost {
  const range = metered ? meteredRange(asked, metered) : NOTHING;
  const most = highestCost(tokens, rates) + costOfUnits(range.most);
  return {
    output: 0,
    isOpen: false,
    hosted: [],
    least: most,
    most,
    priceRows: () => rowsByCost(tokens, rates),
    planFor: () => ({ output: 0, grants: [] }),
    ceilingBeside: () => 0,
  };
}

const NOTHING = { least: 0n, most: 0n };
