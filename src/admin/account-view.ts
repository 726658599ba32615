import type { Account } from '../accounts/account.ts';
import { creditLimitOf, priceOf } from '../accounts/plan-terms.ts';
import { cycleEndsAt } from '../accounts/roll-cycle.ts';
import { rowOfFigures } from '../plans/build-plans.ts';
import type { Plans } from '../plans/plans.ts';
import type { Balances } from './admin-dependencies.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';

const MICROCREDITS = 1_000_000;

export const accountView = (account: Account, plans: Plans, balances: Balances) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  email_verified: account.emailVerified,
  plan: account.plan,
  pending_plan: account.pendingPlan,
  status: account.status,
  price_usd_per_month: priceOf(account, plans),
  plan_overrides: account.planOverrides && rowOfFigures(account.planOverrides),
  cycle_started_at: isoTime(account.cycleStartedAt),
  cycle_ends_at: isoTimeOrNull(cycleEndsAt(account)),
  credits: creditsView(creditLimitOf(account, plans), balances),
  purchased_credits: balances.purchasedMicrocredits / MICROCREDITS,
});

export type AccountView = ReturnType<typeof accountView>;

/** Requests in flight may end a little over the limit, so what remains is never shown below zero. */
function creditsView(limit: number | null, { usedMicrocredits, grantedMicrocredits }: Balances) {
  const used = usedMicrocredits / MICROCREDITS;
  if (limit === null) return { limit, used, remaining: null };
  const given = Math.round(limit * MICROCREDITS) + grantedMicrocredits;
  const remaining = Math.max(0, given - usedMicrocredits) / MICROCREDITS;
  return { limit: given / MICROCREDITS, used, remaining };
}
