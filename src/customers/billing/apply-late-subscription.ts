import { isoTime } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import { type AccountSubscription, type CustomerChange, periodStartOf } from './account-subscription.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import { changeAsStripe } from './change-as-stripe.ts';
import { endPaidPlan } from './end-paid-plan.ts';
import { isSuspendedForRenewal } from './is-suspended-for-renewal.ts';
import { latestStatusChange } from './latest-status-change.ts';

const MIN_CYCLE_MS = 27 * DAY_MS;

/** Follows a failed renewal: the plan continues for the grace, and then ends as the configuration says. */
export async function applyLateSubscription(
  parts: BillingParts,
  accountSubscription: AccountSubscription,
): Promise<CustomerChange> {
  const { customer, subscription } = accountSubscription;
  const { grace_days, after_grace } = parts.config().billing;
  const now = parts.clock.now();
  const graceMs = grace_days * DAY_MS;
  const until = customer.body.graceUntil ?? now + graceMs;
  if (customer.body.graceUntil === null) reportGrace(parts, accountSubscription, until);
  const state = { subscriptionId: subscription.id, status: subscription.status, graceUntil: until };
  await grantDaily(parts, accountSubscription);
  if (now < until) return { body: state, dueAt: until };
  if (after_grace === 'downgrade') {
    await endPaidPlan(parts, accountSubscription);
    return { body: state, dueAt: null };
  }
  const openUntil = await reopenedUntil(parts, accountSubscription, { until, graceMs });
  if (now < openUntil) return { body: { ...state, isSuspended: false }, dueAt: dueAtOf(openUntil) };
  return { body: { ...state, isSuspended: await suspend(parts, accountSubscription) }, dueAt: null };
}

type Grace = { until: number; graceMs: number };

/**
 * Returns the time up to which an account stays open that an operator has reopened since the end of the
 * grace. It has no end before the next renewal, which gets a grace of its own.
 */
async function reopenedUntil(
  parts: BillingParts,
  { account, subscription }: AccountSubscription,
  { until, graceMs }: Grace,
): Promise<number> {
  if (account.status !== 'active') return 0;
  const latest = await latestStatusChange(parts, account.id);
  if (!latest || latest.actor === STRIPE || latest.at < until) return 0;
  const periodStart = periodStartOf(subscription);
  return periodStart > latest.at ? periodStart + graceMs : Number.POSITIVE_INFINITY;
}

const dueAtOf = (time: number): number | null => (Number.isFinite(time) ? time : null);

/**
 * Suspends an active account. Reports whether the account is suspended for its renewal, even if an earlier
 * attempt was interrupted after the suspension.
 */
async function suspend(parts: BillingParts, accountSubscription: AccountSubscription): Promise<boolean> {
  const { account } = accountSubscription;
  if (account.status !== 'active') return isSuspendedForRenewal(parts, accountSubscription);
  await changeAsStripe(parts, account, { status: 'suspended' });
  return true;
}

/** Reports a failed renewal to operators and to the organization. */
function reportGrace(
  { alerts }: BillingParts,
  { account, subscription }: AccountSubscription,
  until: number,
): void {
  const name = `renewal_failed ${subscription.id} ${periodStartOf(subscription)}`;
  alerts.raise({ name, until: null }, () => ({
    event: 'payment_problem',
    message: `The renewal of the plan of account ${account.id} has failed. The plan continues until ${isoTime(until)}.`,
    data: { problem: 'renewal-failed', account_id: account.id, grace_until: isoTime(until) },
    organization: account.id,
  }));
}

/** Grants the credits of an unpaid cycle day by day, except for a plan that an operator has set. */
async function grantDaily(
  parts: BillingParts,
  { customer, account, subscription }: AccountSubscription,
): Promise<void> {
  if (account.unpaidFrom !== null || account.plan !== customer.body.plan || !hasCycle(account.plan)) return;
  const unpaidFrom = unpaidSince(customer.body.periodStart, periodStartOf(subscription));
  await changeAsStripe(parts, account, { unpaidFrom });
}

/**
 * Returns the time from which cycles are not paid. A cycle can begin shortly before the period of the
 * subscription, so a day is subtracted. If the period was paid already, the next one is not paid.
 */
const unpaidSince = (paidStart: number | null, periodStart: number): number =>
  paidStart !== null && periodStart <= paidStart ? paidStart + MIN_CYCLE_MS : periodStart - DAY_MS;
