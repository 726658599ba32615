import type { CallUsage } from './call-record.ts';
import type { Payer, SoakRequest } from './draw-request.ts';
import { modelOf, type Prices, type SoakModel } from './soak-models.ts';

/** A thousandth of a USD per million tokens is half a micro-credit a token. */
const THOUSANDTHS_PER_MICROCREDIT = 2;

const byPurchasedCredit: ReadonlySet<Payer> = new Set<Payer>(['payg', 'little-credit', 'subscriber-payg']);

const costAt = ({ input, cacheRead, output }: CallUsage, prices: Prices): number =>
  Math.ceil(
    ((input - cacheRead) * prices.input + cacheRead * prices.cached + output * prices.output) /
      THOUSANDTHS_PER_MICROCREDIT,
  );

/**
 * Computes the cost in micro-credits, as the contract has it: at the rates of the model that served, and
 * never more than at the rates of the requested model.
 */
export function costOf(usage: CallUsage, { model, payer }: SoakRequest, served: string): number {
  return Math.min(
    costAt(usage, pricesFor(payer, modelOf(model))),
    costAt(usage, pricesFor(payer, modelOf(served))),
  );
}

const pricesFor = (payer: Payer, { listed, payg }: SoakModel): Prices =>
  (byPurchasedCredit.has(payer) ? payg : undefined) ?? listed;
