import { type ChargeDetail, type ChargeLine, costOfCharge } from '../../money/ledger/charge-detail.ts';
import type { Entry, Receipt } from '../../money/ledger/entry.ts';
import { extraRatesOf } from '../../money/ledger/extra-rates.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { BASE_ROW, type RatesInRows, rateRowsOf } from '../../money/ledger/rate-row.ts';
import { ratesOf } from '../../money/ledger/rates.ts';
import { rateIn, type ServedWay } from '../../money/ledger/served-way.ts';
import type { Model, Pricing } from '../../settings/catalog/model.ts';
import type { PriceCondition } from '../../settings/catalog/price-condition.ts';
import { type MeteredUnit, meteredUnits } from '../../translation/canonical/metered.ts';
import { type FactorPrice, factorPrices } from '../../translation/canonical/price-name.ts';
import { conditionText } from './condition-text.ts';
import { priceRows, type ReceiptRow } from './price-rows.ts';

export type CostLine = {
  what: string;
  quantity: number;
  unit: string;
  /**
   * USD per million tokens, per thousand calls or per other unit, as price lists have it, without the factor.
   */
  rate_usd: number;
  row: string;
  condition: string | null;
  factor: number;
  microcredits: number;
};

export type RequestCost = { model: string; lines: CostLine[]; microcredits: number };
type Charged = { entry: Pick<Entry, 'at' | 'period' | 'microcredits'>; receipt: Receipt };

/**
 * Explains the cost of a charged request line by line.
 * `model` is the catalog's row of the model that answered, if it has one.
 */
export function costOfRequest({ entry, receipt }: Charged, model: Model | undefined): RequestCost {
  const conditions = model ? pricingOf(model, entry).conditions : undefined;
  const condition = conditions?.find(({ name }) => name === receipt.priceRow);
  return {
    model: receipt.servedModel,
    lines: linesOf(receipt, condition),
    microcredits: listCostOf(entry, receipt),
  };
}

/**
 * Computes the cost of the same counts on a model. `row` is the number of a price row, 0 for the base. If it
 * is undefined, the row is chosen.
 */
export function whatIf(charged: Charged, model: Model, row: number | undefined): RequestCost | undefined {
  const { entry, receipt } = charged;
  const pricing = pricingOf(model, entry);
  const chosen = row === undefined ? undefined : [pricing, ...(pricing.conditions ?? [])][row];
  if (row !== undefined && chosen === undefined) return undefined;
  const rates: RatesInRows = chosen
    ? ratesOf(chosen)
    : rateRowsOf(pricing, { at: entry.at, region: undefined });
  const extras = extraRatesOf(model.extrasUsd);
  const ways = chosen && row !== 0 ? [] : waysOf(charged, model);
  const priced = rateIn(rates, ways, receipt.tokens.input);
  const name = chosen && row ? (chosen as PriceCondition).name : priced.name;
  const metered = model.meteredUsd ? meteredRatesOf(model.meteredUsd) : undefined;
  const lineOf = (line: ChargeLine): ChargeLine => {
    if (line.model !== null) return line;
    if (isUnit(line.dimension)) {
      const unit = line.dimension;
      return { ...line, rate: (unit === 'image' ? metered?.images[0]?.rate : metered?.[unit]) ?? 0 };
    }
    const price = extras.units[line.dimension as keyof typeof extras.units];
    const own = line.of === null ? 0 : priced.unmultiplied[line.of];
    const factor = line.of === null ? 1 : priced.multiplier;
    return { ...line, rate: Math.round((price === undefined ? own : price * priced.extraFactor) * factor) };
  };
  const detail: ChargeDetail = {
    lines: receipt.detail?.lines.map(lineOf) ?? [],
    factors: priced.factors,
  };
  const { detail: _detail, priceRow: _row, ...plain } = receipt;
  const repriced: Receipt = { ...plain, rates: priced.rates, detail, ...(name && { priceRow: name }) };
  const condition = pricing.conditions?.find((candidate) => candidate.name === name);
  return {
    model: model.id,
    lines: linesOf(repriced, condition),
    microcredits: costOfCharge(receipt.tokens, priced.rates, detail),
  };
}

const pricingOf = (model: Model, { period }: Pick<Entry, 'period'>): Pricing =>
  (balanceOf(period) === 'purchased' ? model.paygPricing : null) ?? model.pricing;

/** The ways in which the answer was served: those of its factors, and the tier of its row. */
function waysOf({ entry, receipt }: Charged, model: Model): ServedWay[] {
  const { factors } = extraRatesOf(model.extrasUsd);
  const tier = pricingOf(model, entry).conditions?.find(({ name }) => name === receipt.priceRow)?.tier;
  const names = new Set([...(receipt.detail?.factors.map(([name]) => name) ?? []), ...(tier ? [tier] : [])]);
  return factorPrices
    .filter((name) => names.has(name))
    .map((name: FactorPrice): ServedWay => ({ names: [name], factor: factors[name], isAsked: true }));
}

const units: ReadonlySet<string> = new Set(meteredUnits);
const isUnit = (dimension: string): dimension is MeteredUnit => units.has(dimension);

function linesOf(receipt: Receipt, condition: PriceCondition | undefined): CostLine[] {
  const by = receipt.detail?.factors.reduce((product, [, factor]) => product * factor, 1) ?? 1;
  const row = receipt.priceRow ?? BASE_ROW;
  return priceRows(receipt)
    .filter((item) => quantityOf(item) > 0)
    .map((item) => {
      const isToken = item.tokens > 0;
      const factor = isToken && item.model === undefined ? by : 1;
      const rate = item.usd_per_unit ?? item.usd_per_1000_calls ?? item.usd_per_mtok;
      return {
        what: item.model === undefined ? item.kind : `${item.kind} (${item.model})`,
        quantity: quantityOf(item),
        unit: unitOf(item),
        rate_usd: factor === 0 ? rate : Number((rate / factor).toFixed(9)),
        row: isToken && item.model === undefined ? row : BASE_ROW,
        condition: isToken && condition && item.model === undefined ? conditionText(condition) : null,
        factor,
        microcredits: item.microcredits,
      };
    });
}

const quantityOf = ({ tokens, calls = 0, count = 0 }: ReceiptRow): number => tokens + calls + count;

const unitOf = ({ kind, calls, count }: ReceiptRow): string => {
  if (calls !== undefined) return 'call';
  return count === undefined ? 'token' : kind;
};
