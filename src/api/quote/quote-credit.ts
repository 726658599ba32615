import type { Refusal } from '../../base/errors/refusal.ts';
import { type CreditQuestion, creditOrder, worstOf } from '../../inference/admission/hold-credit.ts';
import { refuseShortage } from '../../inference/admission/refuse-shortage.ts';
import { costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import type { HoldOrder, Shortage } from '../../money/ledger/hold.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';

export type QuotedCredit = {
  /** In micro-credits: all of the prompt from a cache and nothing said, and nothing from a cache and all that may be said. */
  lowest: number;
  highest: number;
  /** Of each answer; null where an answer has none. */
  outputTokens: number | null;
  credits: Refusal | undefined;
  keyCap: Refusal | undefined;
};

/** What a request may cost, and whether that could be held now. Nothing is. */
export async function quoteCredit(
  question: CreditQuestion & { prompt: { estimate(): number } },
  { ledger, now }: { ledger: Pick<LedgerStore, 'afford'>; now: number },
): Promise<QuotedCredit> {
  const { entry } = question.permit;
  const { order, rates, worst: held } = await creditOrder(question, now);
  const worst = held ?? (await worstOf(question, rates));
  const input = question.prompt.estimate();
  const told = (afforded: number | Shortage): Refusal | undefined =>
    typeof afforded === 'number' ? undefined : refuseShortage({ ...question, order, shortage: afforded });
  const afforded = await ledger.afford(order);
  const isCut = held !== null && typeof afforded === 'number' && afforded < worst.most;
  const outputTokens = isCut ? Math.min(worst.output, worst.ceilingFor(afforded)) : worst.output;
  return {
    lowest: costOfTokens({ input, cachedInput: input, output: 0 }, rates),
    highest: isCut ? afforded : worst.most,
    outputTokens: entry.model.kind === 'embedding' ? null : outputTokens,
    credits: told(await ledger.afford({ ...order, keyCapMicrocredits: null })),
    keyCap: order.keyCapMicrocredits === null ? undefined : told(await ledger.afford(ofCapAlone(order))),
  };
}

/** As if credits had no end. */
const ofCapAlone = (order: HoldOrder): HoldOrder => ({
  ...order,
  pays: 'monthly',
  period: { ...order.period, limitMicrocredits: null },
  tokensPerDay: null,
});
