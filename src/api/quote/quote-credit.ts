import type { Refusal } from '../../base/errors/refusal.ts';
import { extrasAt } from '../../inference/cost/extras-at.ts';
import { cheapestCost, rateChoices } from '../../inference/cost/rate-choices.ts';
import { creditOrder } from '../../inference/hold/order-credit.ts';
import { refuseShortage } from '../../inference/hold/refuse-shortage.ts';
import { type SelectedRates, worstOf } from '../../inference/hold/worst-of.ts';
import type { Inference } from '../../inference/request/inference.ts';
import { costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import type { HoldOrder, Shortage } from '../../money/ledger/hold.ts';
import { factorPriceNames } from '../../translation/canonical/price-name.ts';

export type QuotedCredit = {
  /** The least cost, in micro-credits: the whole prompt is cached and the output is empty. */
  lowest: number;
  /** The highest cost, in micro-credits: nothing is cached and every answer reaches its ceiling. */
  highest: number;
  /** The output ceiling of each answer. `null` means that answers have no output tokens. */
  outputTokens: number | null;
  /** The price rows that can apply, the most expensive last. */
  priceRows: readonly string[];
  credits: Refusal | undefined;
  keyCap: Refusal | undefined;
};

/** Computes the cost range of a request, and checks without holding credit whether a hold would succeed. */
export async function quoteCredit(inference: Inference, now: number): Promise<QuotedCredit> {
  const { exchange, principal, entry, request, services } = inference;
  const { ledger } = services;
  const credit = await creditOrder(inference, now);
  const { order, rates, rating, worst: held } = credit;
  const worst = held ?? (await worstOf(inference, credit));
  const refusalFor = (afforded: number | Shortage): Refusal | undefined =>
    typeof afforded === 'number'
      ? undefined
      : refuseShortage({ exchange, principal, order, shortage: afforded, worst: held });
  const afforded = await ledger.afford(order);
  const isCut = held !== null && typeof afforded === 'number' && afforded < worst.most;
  const outputTokens = isCut ? worst.planFor(afforded).output : worst.output;
  return {
    lowest: request.metered ? worst.least : Math.floor(lowestCost(inference, { rates, rating })),
    priceRows: worst.priceRows(),
    highest: isCut ? afforded : worst.most,
    outputTokens: entry.model.kind === 'chat' ? outputTokens : null,
    credits: refusalFor(await ledger.afford({ ...order, keyCapMicrocredits: null, isBudgeted: false })),
    keyCap:
      order.keyCapMicrocredits === null && !order.isBudgeted
        ? undefined
        : refusalFor(await ledger.afford(ofCapAlone(order))),
  };
}

/** The cost if the whole prompt is cached and the answer is empty. */
function lowestCost(inference: Inference, { rates, rating }: SelectedRates): number {
  const input = inference.prompt.estimate();
  const tokens = { input, cachedInput: input, output: 0 };
  if (rates.rows === undefined) return costOfTokens(tokens, rates) * discountOf(inference);
  const { body, extras: requestExtras } = inference.request;
  const extras = extrasAt(inference.entry.model, rating);
  return cheapestCost(tokens, rateChoices({ rates, extras, body, asked: requestExtras }));
}

/** Returns the factor of a cheaper tier that the request asked for. */
const discountOf = ({ entry, request }: Inference): number =>
  factorPriceNames.reduce((product, name) => {
    const factor = request.extras?.priced.includes(name) ? entry.model.extrasUsd[name] : undefined;
    return factor !== undefined && factor < 1 ? product * factor : product;
  }, 1);

/** Returns an order that only the key's cap and budgets limit, as if the credits were unlimited. */
const ofCapAlone = (order: HoldOrder): HoldOrder => ({
  ...order,
  pays: 'monthly',
  period: { ...order.period, limitMicrocredits: null },
  tokensPerDay: null,
});
