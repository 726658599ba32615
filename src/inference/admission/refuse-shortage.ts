import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { HoldOrder, Shortage, ShortageKind } from '../../money/ledger/hold.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { nextDayAt } from '../../money/ledger/token-day.ts';
import { usedPercent } from '../../money/ledger/used-percent.ts';

type Short = { exchange: Exchange; principal: Principal; order: HoldOrder; shortage: Shortage };

/** The page where a customer chooses a plan. */
const PLANS_PAGE = '/#plans';

const refusals: Record<ShortageKind, (short: Short) => Refusal> = {
  'period-used-up': (short) =>
    short.principal.plan.id === 'free' ? new Refusal('credit_used_up') : allowanceExhausted(short),
  'day-used-up': ({ principal, order }) =>
    new Refusal('token_allowance_exhausted', {
      message: `The ${principal.plan.displayName} plan's ${order.tokensPerDay?.toLocaleString('en-US')} tokens of today are used up; \
there are new ones from ${new Date(nextDayAt(order.at)).toISOString()} on.`,
    }),
  'nothing-purchased': () => new Refusal('paid_credit_required'),
  'purchased-too-little': () => new Refusal('insufficient_paid_credit'),
  'key-cap-reached': () => new Refusal('key_budget_exhausted'),
};

/** Returns the refusal that tells the client why its credit does not cover the request. */
export const refuseShortage = (short: Short): Refusal => refusals[short.shortage.shortage](short);

function allowanceExhausted({ exchange, order, shortage }: Short): Refusal {
  const { usedMicrocredits: used, givenMicrocredits: given } = shortage;
  const { endsAt } = order.period;
  return new Refusal('allowance_exhausted', {
    fields: {
      limit: creditsOf(given ?? 0),
      used_percent: usedPercent(used, given),
      resets_at: endsAt === null ? null : new Date(endsAt).toISOString(),
      upgrade_url: publicUrl(exchange) + PLANS_PAGE,
    },
  });
}
