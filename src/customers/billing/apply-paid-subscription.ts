import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import { type AccountSubscription, type CustomerChange, periodStartOf } from './account-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import type { DeferredPlan } from './billing-record.ts';
import { changeAsStripe } from './change-as-stripe.ts';
import { isSuspendedForRenewal } from './is-suspended-for-renewal.ts';
import { type PaymentProblem, reportProblem } from './report-problem.ts';
import { planOfPrice } from './stripe-prices.ts';

/** The member of a subscription's metadata with the Unix time from which its plan applies. */
export const STARTS_AT = 'starts_at';

/** Gives the account the plan of its paid subscription, now or at the renewal. */
export async function applyPaidSubscription(
  parts: BillingParts,
  accountSubscription: AccountSubscription,
): Promise<CustomerChange | undefined> {
  const { account, subscription } = accountSubscription;
  const plan = paidPlanOf(parts, accountSubscription);
  if (typeof plan === 'object') {
    reportProblem(parts, { accountId: account.id, subscription: subscription.id, ...plan });
    return undefined;
  }
  const periodStart = periodStartOf(subscription);
  const deferred = isNewPeriod(accountSubscription)
    ? null
    : deferralOf(accountSubscription, plan, parts.clock.now());
  if (await isSuspendedForRenewal(parts, accountSubscription))
    await changeAsStripe(parts, account, { status: 'active' });
  if (account.unpaidFrom !== null) await changeAsStripe(parts, account, { unpaidFrom: null });
  if (getsPlan(parts, accountSubscription, plan) && deferred === null)
    await changeAsStripe(parts, account, {
      paidPlan: plan,
      ...(!hasCycle(account.plan) && { cycleStartedAt: Math.min(periodStart, parts.clock.now()) }),
    });
  await setPending(parts, account.id, { plan, isEnding: subscription.cancel_at_period_end });
  const body = {
    subscriptionId: subscription.id,
    status: subscription.status,
    plan,
    periodStart,
    graceUntil: null,
    isSuspended: false,
    deferred,
  };
  return { body, dueAt: null };
}

/** The reason why a paid subscription gives no plan. */
type Fault = { problem: PaymentProblem; [fact: string]: unknown };

/** Returns the plan that the subscription pays for, or why the account does not get it. */
function paidPlanOf(parts: BillingParts, { account, subscription }: AccountSubscription): PlanId | Fault {
  const { id: price = '', currency } = subscription.items.data[0]?.price ?? {};
  if (currency !== undefined && (subscription.currency ?? currency) !== currency)
    return { problem: 'currency', currency: subscription.currency };
  const plan = planOfPrice(parts, price);
  if (!plan) return { problem: 'unknown-price', price };
  return account.status === 'closed' ? { problem: 'account-closed' } : plan;
}

/** Reports whether the subscription was paid for a period after the last known one. */
const isNewPeriod = ({ customer: { body }, subscription }: AccountSubscription): boolean =>
  body.subscriptionId === subscription.id &&
  body.periodStart !== null &&
  periodStartOf(subscription) > body.periodStart;

/**
 * Reports whether the account gets the plan before its renewal or with it. A cheaper plan comes with the
 * renewal. An enterprise plan is agreed with the operator, and stays.
 */
function getsPlan({ plans }: BillingParts, accountSubscription: AccountSubscription, plan: PlanId): boolean {
  const { plan: current } = accountSubscription.account;
  if (current === 'enterprise' || current === plan) return false;
  return isNewPeriod(accountSubscription) || plans()[plan].rank > plans()[current].rank;
}

/** Returns the more expensive plan that still waits for the renewal, or null if none does. */
function deferralOf(
  accountSubscription: AccountSubscription,
  plan: PlanId,
  now: number,
): DeferredPlan | null {
  const deferred = notedDeferral(accountSubscription, plan);
  return deferred && now < deferred.until ? deferred : null;
}

/** Returns the noted deferral: in the record for a changed subscription, at Stripe for a new one. */
function notedDeferral(
  { customer: { body }, subscription: { id, metadata } }: AccountSubscription,
  plan: PlanId,
): DeferredPlan | null {
  if (body.subscriptionId === id) return body.deferred?.plan === plan ? body.deferred : null;
  const until = Number(metadata[STARTS_AT] ?? Number.NaN) * 1_000;
  return Number.isSafeInteger(until) ? { plan, until } : null;
}

/** Sets the plan from the renewal on: the cheaper plan of the subscription, or the plan after its end. */
async function setPending(
  parts: BillingParts,
  accountId: string,
  { plan, isEnding }: { plan: PlanId; isEnding: boolean },
): Promise<void> {
  const account = await parts.accounts.find(accountId);
  if (account instanceof Refusal || account.plan === 'enterprise') return;
  const pendingPlan = pendingPlanOf(account, { plan, isEnding });
  if (account.pendingPlan === pendingPlan) return;
  const change = hasCycle(account.plan) ? { nextPlan: pendingPlan } : { plan: pendingPlan ?? account.plan };
  await changeAsStripe(parts, account, change);
}

function pendingPlanOf(
  account: Account,
  { plan, isEnding }: { plan: PlanId; isEnding: boolean },
): PlanId | null {
  if (isEnding) return account.pendingPlan === 'payg' ? 'payg' : 'free';
  return plan === account.plan ? null : plan;
}
