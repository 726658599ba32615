import type { Refusal } from '../../base/errors/refusal.ts';
import { extrasAt } from '../../inference/admission/extras-at.ts';
import {
  type CreditQuestion,
  creditOrder,
  type Rated,
  worstOf,
} from '../../inference/admission/hold-credit.ts';
import { cheapestCost, rateChoices } from '../../inference/admission/rate-choices.ts';
import { refuseShortage } from '../../inference/admission/refuse-shortage.ts';
import { costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import type { HoldOrder, Shortage } from '../../money/ledger/hold.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { factorPrices } from '../../translation/canonical/price-name.ts';

export type QuotedCredit = {
  /** In micro-credits: the whole prompt is cached and the output is empty. */
  lowest: number;
  /** In micro-credits: nothing is cached and every answer reaches its ceiling. */
  highest: number;
  /** The output ceiling of each answer. `null` means that answers have no output tokens. */
  outputTokens: number | null;
  /** The price rows that can apply, the most expensive last. */
  priceRows: readonly string[];
  credits: Refusal | undefined;
  keyCap: Refusal | undefined;
};

/** Computes the cost range of a request, and checks without holding credit whether a hold would succeed. */
export async function quoteCredit(
  question: Question,
  { ledger, now }: { ledger: Pick<LedgerStore, 'afford'>; now: number },
): Promise<QuotedCredit> {
  const { entry } = question.permit;
  const credit = await creditOrder(question, now);
  const { order, rates, rating, worst: held } = credit;
  const worst = held ?? (await worstOf(question, credit));
  const reported = (afforded: number | Shortage): Refusal | undefined =>
    typeof afforded === 'number'
      ? undefined
      : refuseShortage({ ...question, order, shortage: afforded, worst: held });
  const afforded = await ledger.afford(order);
  const isCut = held !== null && typeof afforded === 'number' && afforded < worst.most;
  const outputTokens = isCut ? worst.planFor(afforded).output : worst.output;
  return {
    lowest: question.request.metered ? worst.least : Math.floor(lowestCost(question, { rates, rating })),
    priceRows: worst.priceRows(),
    highest: isCut ? afforded : worst.most,
    outputTokens: entry.model.kind === 'chat' ? outputTokens : null,
    credits: reported(await ledger.afford({ ...order, keyCapMicrocredits: null })),
    keyCap: order.keyCapMicrocredits === null ? undefined : reported(await ledger.afford(ofCapAlone(order))),
  };
}

type Question = CreditQuestion & { prompt: { estimate(): number } };

/** The cost if the whole prompt is cached and the answer is empty. */
function lowestCost(question: Question, { rates, rating }: Rated): number {
  const input = question.prompt.estimate();
  const tokens = { input, cachedInput: input, output: 0 };
  if (rates.rows === undefined) return costOfTokens(tokens, rates) * discountOf(question);
  const { body, extras: asked } = question.request;
  const extras = extrasAt(question.permit.entry.model, rating);
  return cheapestCost(tokens, rateChoices({ rates, extras, body, asked }));
}

/** The factor of a cheaper tier that the request asked for. */
const discountOf = ({ permit, request }: Pick<CreditQuestion, 'permit' | 'request'>): number =>
  factorPrices.reduce((product, name) => {
    const factor = request.extras?.priced.includes(name) ? permit.entry.model.extrasUsd[name] : undefined;
    return factor !== undefined && factor < 1 ? product * factor : product;
  }, 1);

/** An order that only the key's cap limits, as if the credits were unlimited. */
const ofCapAlone = (order: HoldOrder): HoldOrder => ({
  ...order,
  pays: 'monthly',
  period: { ...order.period, limitMicrocredits: null },
  tokensPerDay: null,
});
