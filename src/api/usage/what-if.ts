import { type ChargeDetail, type ChargeLine, costOfCharge } from '../../money/ledger/charge-detail.ts';
import type { Receipt } from '../../money/ledger/entry.ts';
import { extraRatesOf } from '../../money/ledger/extra-rates.ts';
import { meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import { type RateInRow, rateIn } from '../../money/ledger/rate-in.ts';
import { type RatesInRows, rateRowsOf } from '../../money/ledger/rate-row.ts';
import { ratesOf } from '../../money/ledger/rates.ts';
import type { ServedWay } from '../../money/ledger/served-way.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { MeteredUnit } from '../../translation/canonical/metered.ts';
import { type FactorPrice, factorPriceNames } from '../../translation/canonical/price-name.ts';
import { type ChargedRequest, costLines, pricingOf, type RequestCost } from './cost-of-request.ts';
import { meteredUnitOf } from './metered-unit-of.ts';

/**
 * Computes the cost of the counts of a charged request at the prices of a model. `row` is the number of a
 * price row, 0 for the base. If it is undefined, the row is chosen. Returns undefined if there is no such
 * row.
 */
export function whatIf(
  charged: ChargedRequest,
  model: Model,
  row: number | undefined,
): RequestCost | undefined {
  const { entry, receipt } = charged;
  const pricing = pricingOf(model, entry);
  const chosen = row === undefined ? undefined : [pricing, ...(pricing.conditions ?? [])][row];
  if (row !== undefined && chosen === undefined) return undefined;
  const rates: RatesInRows = chosen
    ? ratesOf(chosen)
    : rateRowsOf(pricing, { at: entry.at, region: undefined });
  const conditionName = chosen && 'name' in chosen ? chosen.name : undefined;
  // A row with a condition has its own rates, so the ways of serving do not multiply them.
  const ways = conditionName === undefined ? waysOf(charged, model) : [];
  const priced = rateIn(rates, ways, receipt.tokens.input);
  const priceRow = conditionName ?? priced.name;
  const detail: ChargeDetail = {
    lines: (receipt.detail?.lines ?? []).map((line) => repricedLine(line, model, priced)),
    factors: priced.factors,
  };
  const repriced: Receipt = { ...receipt, rates: priced.rates, detail, priceRow };
  const condition = pricing.conditions?.find(({ name }) => name === priceRow);
  return {
    model: model.id,
    lines: costLines(repriced, condition),
    microcredits: costOfCharge(receipt.tokens, priced.rates, detail),
  };
}

/** Returns a line at the rates of a model. Tokens of a model besides the one that served keep their rate. */
function repricedLine(line: ChargeLine, { extrasUsd, meteredUsd }: Model, priced: RateInRow): ChargeLine {
  if (line.model !== null) return line;
  const unit = meteredUnitOf(line);
  if (unit) return { ...line, rate: unitRate(unit, meteredUsd) };
  const { units } = extraRatesOf(extrasUsd);
  // A dimension without a price of its own is no name of this table.
  const price = units[line.dimension as keyof typeof units];
  if (line.of === null) return { ...line, rate: Math.round((price ?? 0) * priced.extraFactor) };
  const rate = price === undefined ? priced.unmultiplied[line.of] : price * priced.extraFactor;
  return { ...line, rate: Math.round(rate * priced.multiplier) };
}

function unitRate(unit: MeteredUnit, prices: Model['meteredUsd']): number {
  const rates = prices ? meteredRatesOf(prices) : undefined;
  return (unit === 'image' ? rates?.images[0]?.rate : rates?.[unit]) ?? 0;
}

/** Returns the ways in which the answer was served: those of its factors, and the tier of its row. */
function waysOf({ entry, receipt }: ChargedRequest, model: Model): ServedWay[] {
  const { factors } = extraRatesOf(model.extrasUsd);
  const tier = pricingOf(model, entry).conditions?.find(({ name }) => name === receipt.priceRow)?.tier;
  const names = new Set([...(receipt.detail?.factors.map(([name]) => name) ?? []), ...(tier ? [tier] : [])]);
  return factorPriceNames
    .filter((name) => names.has(name))
    .map((name: FactorPrice): ServedWay => ({ names: [name], factor: factors[name], isAsked: true }));
}
