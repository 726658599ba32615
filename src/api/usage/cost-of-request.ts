import type { Entry, Receipt } from '../../money/ledger/entry.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { Model, Pricing } from '../../settings/catalog/model.ts';
import type { PriceCondition } from '../../settings/catalog/price-condition.ts';
import { pricingFor } from '../models/price-view.ts';
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
/** A charged request. */
export type ChargedRequest = { entry: Pick<Entry, 'at' | 'period' | 'microcredits'>; receipt: Receipt };

/**
 * Explains the cost of a charged request line by line. `model` is the catalog's row of the model that
 * answered, if it has one.
 */
export function costOfRequest({ entry, receipt }: ChargedRequest, model: Model | undefined): RequestCost {
  const conditions = model ? pricingOf(model, entry).conditions : undefined;
  const condition = conditions?.find(({ name }) => name === receipt.priceRow);
  return {
    model: receipt.servedModel,
    lines: costLines(receipt, condition),
    microcredits: listCostOf(entry, receipt),
  };
}

/** Returns the pricing of a model for the balance that pays an entry. */
export const pricingOf = (model: Model, { period }: Pick<Entry, 'period'>): Pricing =>
  pricingFor(model, balanceOf(period) === 'purchased');

/** Returns the lines of a receipt. `condition` is the price row that decided, if it has a condition. */
export function costLines(receipt: Receipt, condition: PriceCondition | undefined): CostLine[] {
  const tokenFactor = receipt.detail?.factors.reduce((product, [, factor]) => product * factor, 1) ?? 1;
  const row = receipt.priceRow ?? BASE_ROW;
  return priceRows(receipt)
    .filter((item) => quantityOf(item) > 0)
    .map((item) => {
      // Other models have prices of their own, which neither the row nor its factor changes.
      const isByRow = item.tokens > 0 && item.model === undefined;
      const factor = isByRow ? tokenFactor : 1;
      const rate = item.usd_per_unit ?? item.usd_per_1000_calls ?? item.usd_per_mtok;
      return {
        what: item.model === undefined ? item.kind : `${item.kind} (${item.model})`,
        quantity: quantityOf(item),
        unit: unitOf(item),
        rate_usd: factor === 0 ? rate : Number((rate / factor).toFixed(9)),
        row: isByRow ? row : BASE_ROW,
        condition: isByRow && condition ? conditionText(condition) : null,
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
