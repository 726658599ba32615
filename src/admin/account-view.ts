import type { Account } from '../accounts/account.ts';
import { creditLimitOf, priceOf } from '../accounts/plan-terms.ts';
import { cycleEndsAt } from '../accounts/roll-cycle.ts';
import type { AccountBalances } from '../ledger/ledger-store.ts';
import { creditsOf, microcreditsOfCredits } from '../ledger/microcredits.ts';
import { rowOfFigures } from '../plans/build-plans.ts';
import type { Plans } from '../plans/plans.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';

export const accountView = (account: Account, plans: Plans, balances: AccountBalances) => ({
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
  purchased_credits: creditsOf(balances.purchasedMicrocredits),
});

export type AccountView = ReturnType<typeof accountView>;

/** Requests in flight may end a little over the limit, so what remains is never shown below zero. */
function creditsView(limit: number | null, { usedMicrocredits, grantedMicrocredits }: AccountBalances) {
  const used = creditsOf(usedMicrocredits);
  if (limit === null) return { limit, used, remaining: null };
  const given = microcreditsOfCredits(limit) + grantedMicrocredits;
  const remaining = creditsOf(Math.max(0, given - usedMicrocredits));
  return { limit: creditsOf(given), used, remaining };
}
