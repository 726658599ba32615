import type { Exchange } from '../../edge/http/exchange.ts';
import { type CountedTokens, chargedTokens, costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import { type PricedUsage, priceUsage } from '../../money/ledger/price-usage.ts';
import { baseRates, type RatesInRows } from '../../money/ledger/rate-row.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { type DetailPrices, pricesAt } from './detail-prices.ts';

/** The facts that decide what the usage of a request costs. */
export type PricedTab = {
  exchange: Exchange;
  trail: Pick<Trail, 'model'>;
  /** The public id and the rates of the requested model. */
  model: string;
  rates: RatesInRows;
  /** The simulator answers the request. */
  isSimulated?: boolean;
  /** Returns the rates of a substitute that served the request. */
  ratesOf(servedModel: string): RatesInRows;
  /** The prices of usage beyond the three rates. It is left out if there are none. */
  detailPrices?: DetailPrices;
};

const NOTHING: readonly string[] = [];
const NO_TOKENS: CountedTokens = { input: 0, cachedInput: 0, cacheWriteInput: 0, output: 0, reasoning: 0 };

/** Prices the usage at the rates of the model that served, unless the requested model is cheaper. */
export function priceServed(usage: Usage | undefined, priced: PricedTab): PricedUsage {
  const { exchange, trail, model, rates, ratesOf } = priced;
  const listPrice = priceAt(priced, usage, model, rates);
  if (trail.model === model) return listPrice;
  const served = priceAt(priced, usage, trail.model, ratesOf(trail.model));
  exchange.notes.servedCostMicrocredits = served.costMicrocredits;
  return served.costMicrocredits < listPrice.costMicrocredits ? served : listPrice;
}

// Called for every request, so the arguments are not wrapped in an object.
function priceAt(
  { detailPrices, isSimulated }: PricedTab,
  usage: Usage | undefined,
  model: string,
  rates: RatesInRows,
): PricedUsage {
  if (usage && detailPrices && !isSimulated && (hasParts(usage) || detailPrices.isAsked || rates.rows))
    return priceUsage(usage, pricesAt(detailPrices, model, rates));
  const tokens = usage ? chargedTokens(usage) : NO_TOKENS;
  const costMicrocredits = costOfTokens(tokens, rates);
  return { tokens, rates: baseRates(rates), costMicrocredits, detail: undefined, unpriced: NOTHING };
}

/** Reports whether a usage has parts that can have prices of their own. */
const hasParts = ({ detail, input }: Usage): boolean => detail !== undefined || (input.cacheWrite ?? 0) > 0;
