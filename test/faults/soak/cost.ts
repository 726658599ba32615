import { type CallRecord, type CallUsage, producedBy } from './call-record.ts';
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
  const pricesOf = ({ listed, payg }: SoakModel): Prices =>
    (byPurchasedCredit.has(payer) ? payg : undefined) ?? listed;
  return Math.min(costAt(usage, pricesOf(modelOf(model))), costAt(usage, pricesOf(modelOf(served))));
}

export const NOTHING: CallUsage = { input: 0, cacheRead: 0, output: 0 };

export const sumOf = (usages: readonly CallUsage[]): CallUsage =>
  usages.reduce(
    (sum, { input, cacheRead, output }) => ({
      input: sum.input + input,
      cacheRead: sum.cacheRead + cacheRead,
      output: sum.output + output,
    }),
    NOTHING,
  );

/**
 * Returns the upstream's output when the call ended. For whole answers no client sees how much of it existed.
 */
export const mostOf = ({ ending, isStream, usage, produced }: CallRecord): CallUsage =>
  ending === 'complete' || !isStream ? usage : { ...usage, output: produced.at(-1)?.[1] ?? 0 };

/** Returns the output that the client had been shown by then. Nothing is shown before the head. */
export function shownBy(call: CallRecord, at: number): CallUsage {
  const { usage, hidden, headAt } = call;
  if (headAt === undefined || headAt > at) return NOTHING;
  return { ...usage, output: Math.max(0, producedBy(call, at) - hidden) };
}
