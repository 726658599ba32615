import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import type { HoldOrder, Shortage, ShortageKind } from '../../money/ledger/hold.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { resetsAt } from '../../money/ledger/period.ts';
import { nextDayAt } from '../../money/ledger/token-day.ts';
import { usedPercent } from '../../money/ledger/used-percent.ts';
import type { WorstCost } from '../cost/worst-cost.ts';
import { type BoundFigures, budgetFacts, refuseBudget } from './refuse-budget.ts';

/** A request that its credit does not cover. */
type ShortRequest = {
  exchange: Exchange;
  principal: Principal;
  order: HoldOrder;
  shortage: Shortage;
  /** The bound of the request, if an amount would have been held. */
  worst?: Pick<WorstCost, 'hosted'> | null;
};

type FactsOf = (short: ShortRequest) => BoundFigures;

/** The page where a customer chooses a plan. */
const PLANS_PAGE = '/#plans';

const refusals: Record<ShortageKind, (short: ShortRequest) => Refusal> = {
  'period-used-up': (short) =>
    short.principal.plan.id === 'free' ? new Refusal('credit_used_up') : allowanceExhausted(short),
  'day-used-up': ({ principal, order }) =>
    new Refusal('token_allowance_exhausted', {
      message: `The ${principal.plan.displayName} plan's ${order.tokensPerDay?.toLocaleString('en-US')} tokens of today are used up; \
there are new ones from ${new Date(nextDayAt(order.at)).toISOString()} on.`,
    }),
  'nothing-purchased': () => new Refusal('paid_credit_required'),
  'purchased-too-little': (short) => new Refusal('insufficient_paid_credit', callMessage(short)),
  'key-cap-reached': (short) => new Refusal('key_budget_exhausted', callMessage(short)),
  'budget-reached': ({ shortage, order }) => refuseBudget(shortage.budgets ?? [], order),
};

const MICROCREDITS_PER_CENTICREDIT = 10_000;

/** Returns the refusal that says why the credit does not cover the request. */
export function refuseShortage(short: ShortRequest): Refusal {
  const { shortage: bound } = short.shortage;
  const refusal = refusals[bound](short);
  refusal.details.facts = { bound, ...facts[bound](short) };
  return refusal;
}

/**
 * Returns the message for a request that needs a hosted tool, since the prompt does not explain its price.
 */
function callMessage({ order, shortage: { payer }, worst }: ShortRequest): { message?: string } {
  const needed = worst?.hosted.find(({ isNeeded }) => isNeeded);
  if (!needed || !order.worst || !payer) return {};
  const { keyCapMicrocredits: cap } = order;
  const { usedMicrocredits, grantedMicrocredits, keyMicrocredits } = payer;
  const amountsLeft = [
    ...(order.pays === 'purchased' ? [grantedMicrocredits - usedMicrocredits] : []),
    ...(cap === null || keyMicrocredits === null ? [] : [cap - keyMicrocredits]),
  ];
  const calls = needed.limit ? 'one call' : `${needed.calls} calls`;
  const tool = needed.tools[0]?.name ?? 'a hosted tool';
  const available = creditsText(Math.max(0, Math.min(...amountsLeft)));
  return {
    message: `This request with ${calls} of ${tool} can cost ${creditsText(order.worst.least)} credits; \
${available} are available, less what open requests hold.`,
  };
}

/** Formats an amount with two decimals at most. */
const creditsText = (microcredits: number): string =>
  String(Math.round(microcredits / MICROCREDITS_PER_CENTICREDIT) / 100);

const periodFacts: FactsOf = ({ order, shortage: { usedMicrocredits, givenMicrocredits } }) => ({
  used: usedMicrocredits,
  limit: givenMicrocredits,
  resets_at: resetsAt(order.period),
});

const purchaseFacts: FactsOf = ({ order: { worst }, shortage: { payer } }) => ({
  ...(payer && { used: payer.usedMicrocredits, limit: payer.grantedMicrocredits }),
  ...(worst && { asked: worst.least }),
});

/** The figures of each refusal, for the record of the request. */
const facts: Readonly<Record<ShortageKind, FactsOf>> = {
  'period-used-up': periodFacts,
  'day-used-up': ({ order }) => ({ limit: order.tokensPerDay, resets_at: nextDayAt(order.at) }),
  'nothing-purchased': purchaseFacts,
  'purchased-too-little': purchaseFacts,
  'key-cap-reached': ({ order, shortage: { payer } }) => ({
    limit: order.keyCapMicrocredits,
    ...(payer?.keyMicrocredits != null && { used: payer.keyMicrocredits }),
    ...(order.worst && { asked: order.worst.least }),
    resets_at: calendarMonth(order.at).endsAt,
  }),
  'budget-reached': ({ order, shortage: { budgets } }) => (budgets ? budgetFacts(budgets, order) : {}),
};

function allowanceExhausted({ exchange, order, shortage }: ShortRequest): Refusal {
  const { usedMicrocredits: used, givenMicrocredits: total } = shortage;
  const at = resetsAt(order.period);
  return new Refusal('allowance_exhausted', {
    fields: {
      limit: creditsOf(total ?? 0),
      used_percent: usedPercent(used, total),
      resets_at: at === null ? null : new Date(at).toISOString(),
      upgrade_url: publicUrl(exchange) + PLANS_PAGE,
    },
  });
}
