import { Refusal } from '../../base/errors/refusal.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import type { CustomerBody } from './billing-record.ts';
import { withChange } from './change-record.ts';
import { type CustomerRecord, matchCustomer } from './customers.ts';
import { reportGrace, reportProblem } from './payment-alerts.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';

const MIN_CYCLE_MS = 27 * DAY_MS;
const MAX_ATTEMPTS = 8;

/** The member of a subscription's metadata with the Unix time from which its plan applies. */
export const STARTS_AT = 'starts_at';

const paid = new Set(['active', 'trialing']);
const late = new Set(['past_due', 'unpaid']);
const over = new Set(['canceled', 'incomplete_expired', 'paused']);

/** Reports whether a subscription exists that a plan change applies to. */
export const isLive = ({ subscriptionId, status }: CustomerBody): boolean =>
  subscriptionId !== null && status !== null && (paid.has(status) || late.has(status));

/** Returns the plan of a price in the configuration. */
export function planOfPrice({ stripe }: Config['billing'], priceId: string): PlanId | undefined {
  const found = Object.entries(stripe?.prices ?? {}).find(([, id]) => id === priceId);
  return found?.[0] as PlanId | undefined;
}

/**
 * Brings an account to the state of its subscription. The state is read anew, so the order of messages does
 * not matter. A writer that was overtaken starts again.
 */
export async function followSubscription(parts: BillingParts, id: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const path = `/v1/subscriptions/${encodeURIComponent(id)}`;
    const named = await parts.stripe.get<StripeSubscription>(path);
    const customer = await matchCustomer(parts, named.customer, named.metadata['account_id']);
    if (!customer) return reportProblem(parts, { problem: 'no-account', subscription: id });
    // The state is read after the record, so that a faster writer is noticed.
    const subscription = await parts.stripe.get<StripeSubscription>(path);
    const change = await apply(parts, customer, subscription);
    if (!change) return;
    if ((await parts.store.saveBilling(withChange(customer, change))) === 'saved') return;
  }
  throw new Error('Other writers keep changing the subscription.');
}

type Applied = { body: Partial<CustomerBody>; dueAt: number | null };

async function apply(
  parts: BillingParts,
  customer: CustomerRecord,
  subscription: StripeSubscription,
): Promise<Applied | undefined> {
  const account = await parts.accounts.find(customer.id);
  if (account instanceof Refusal)
    return void reportProblem(parts, { problem: 'no-account', subscription: subscription.id });
  const isOther = customer.body.subscriptionId !== null && customer.body.subscriptionId !== subscription.id;
  if (isOther && isLive(customer.body)) {
    if (!paid.has(subscription.status)) return undefined; // an older one has ended
    reportProblem(parts, {
      problem: 'two-subscriptions',
      accountId: account.id,
      subscription: subscription.id,
    });
  }
  if (paid.has(subscription.status)) return applyPaid(parts, { customer, account, subscription });
  if (late.has(subscription.status)) return applyLate(parts, { customer, account, subscription });
  if (over.has(subscription.status)) return applyOver(parts, { customer, account, subscription });
  return undefined;
}

type Followed = { customer: CustomerRecord; account: Account; subscription: StripeSubscription };

async function applyPaid(
  parts: BillingParts,
  { customer, account, subscription }: Followed,
): Promise<Applied | undefined> {
  const { id: priceId = '', currency } = subscription.items.data[0]?.price ?? {};
  const plan = planOfPrice(parts.config().billing, priceId);
  const facts = { accountId: account.id, subscription: subscription.id };
  if (currency !== undefined && (subscription.currency ?? currency) !== currency)
    return void reportProblem(parts, { problem: 'currency', ...facts, currency: subscription.currency });
  if (!plan) return void reportProblem(parts, { problem: 'unknown-price', ...facts, price: priceId });
  if (account.status === 'closed') return void reportProblem(parts, { problem: 'account-closed', ...facts });
  const periodStart = subscription.current_period_start * 1_000;
  const isSame = customer.body.subscriptionId === subscription.id;
  const isNewPeriod = isSame && customer.body.periodStart !== null && periodStart > customer.body.periodStart;
  if (customer.body.isSuspended) await change(parts, account, { status: 'active' });
  const plans = parts.plans();
  const isHigher = plans[plan].rank > plans[account.plan].rank;
  const isAgreed = account.plan === 'enterprise';
  const deferred = deferralOf(customer.body, subscription, plan);
  const isDue = deferred === null || parts.clock.now() >= deferred.until;
  if (account.unpaidFrom !== null) await change(parts, account, { unpaidFrom: null });
  if (!isAgreed && account.plan !== plan && ((isHigher && isDue) || isNewPeriod)) {
    const start = Math.min(periodStart, parts.clock.now());
    await change(parts, account, {
      paidPlan: plan,
      ...(!hasCycle(account.plan) && { cycleStartedAt: start }),
    });
  }
  await setPending(parts, account.id, { plan, isEnding: subscription.cancel_at_period_end });
  const body = {
    subscriptionId: subscription.id,
    status: subscription.status,
    plan,
    periodStart,
    graceUntil: null,
    isSuspended: false,
    deferred: isDue || isNewPeriod ? null : deferred,
  };
  return { body, dueAt: null };
}

/**
 * Returns the more expensive plan that waits for the renewal: in the record for a changed subscription, at
 * Stripe for a new one.
 */
function deferralOf(
  { deferred, subscriptionId }: CustomerBody,
  { id, metadata }: StripeSubscription,
  plan: PlanId,
): NonNullable<CustomerBody['deferred']> | null {
  if (deferred && subscriptionId === id) return deferred.plan === plan ? deferred : null;
  if (subscriptionId === id) return null;
  const until = Number(metadata[STARTS_AT] ?? Number.NaN) * 1_000;
  return Number.isSafeInteger(until) ? { plan, until } : null;
}

/**
 * Sets the plan that follows at the renewal: the cheaper one of the subscription, or the one after its end.
 */
async function setPending(
  parts: BillingParts,
  accountId: string,
  { plan, isEnding }: { plan: PlanId; isEnding: boolean },
): Promise<void> {
  const account = await parts.accounts.find(accountId);
  if (account instanceof Refusal || account.plan === 'enterprise') return;
  const ending = account.pendingPlan === 'payg' ? 'payg' : 'free';
  const wanted = isEnding ? ending : plan === account.plan ? null : plan;
  if (account.pendingPlan === wanted) return;
  await change(
    parts,
    account,
    hasCycle(account.plan) ? { nextPlan: wanted } : { plan: wanted ?? account.plan },
  );
}

/** A failed renewal: the plan continues for the grace, and then ends as the configuration says. */
async function applyLate(parts: BillingParts, followed: Followed): Promise<Applied> {
  const { customer, account, subscription } = followed;
  const { grace_days, after_grace } = parts.config().billing;
  const now = parts.clock.now();
  const until = customer.body.graceUntil ?? now + grace_days * DAY_MS;
  const periodStart = subscription.current_period_start * 1_000;
  if (customer.body.graceUntil === null)
    reportGrace(parts, { accountId: account.id, subscriptionId: subscription.id, periodStart, until });
  const state = { subscriptionId: subscription.id, status: subscription.status, graceUntil: until };
  await grantDaily(parts, followed);
  if (now < until) return { body: state, dueAt: until };
  if (after_grace === 'downgrade') await end(parts, followed);
  else if (account.status === 'active') await change(parts, account, { status: 'suspended' });
  const isSuspended = customer.body.isSuspended || (after_grace === 'suspend' && account.status === 'active');
  return { body: { ...state, isSuspended }, dueAt: null };
}

/**
 * The credits of a cycle that is not paid come day by day. A plan that an operator has set is not concerned.
 */
async function grantDaily(parts: BillingParts, { customer, account, subscription }: Followed): Promise<void> {
  if (account.unpaidFrom !== null || account.plan !== customer.body.plan || !hasCycle(account.plan)) return;
  const unpaidFrom = unpaidSince(customer.body.periodStart, subscription.current_period_start * 1_000);
  await change(parts, account, { unpaidFrom });
}

/**
 * The time from which cycles are not paid. Cycles can begin some time beside the periods of the subscription.
 * Where the period is the one that was paid last, the next one is not paid.
 */
const unpaidSince = (paidStart: number | null, periodStart: number): number =>
  paidStart !== null && periodStart <= paidStart ? paidStart + MIN_CYCLE_MS : periodStart - DAY_MS;

async function applyOver(parts: BillingParts, followed: Followed): Promise<Applied> {
  await end(parts, followed);
  const { id, status } = followed.subscription;
  return { body: { subscriptionId: id, status, plan: null, graceUntil: null }, dueAt: null };
}

/** Ends the plan that the subscription has paid for. A plan that an operator has set since stays. */
async function end(parts: BillingParts, { customer, account }: Followed): Promise<void> {
  const { pendingPlan, plan, unpaidFrom } = account;
  const isPaid = customer.body.plan !== null && plan === customer.body.plan && hasCycle(plan);
  if (!isPaid && unpaidFrom === null) return;
  await change(parts, account, {
    unpaidFrom: null,
    ...(isPaid && { paidPlan: pendingPlan === 'payg' ? 'payg' : 'free' }),
  });
}

async function change({ accounts }: BillingParts, { id }: Account, wanted: AccountChange): Promise<void> {
  const changed = await accounts.change(id, wanted, STRIPE);
  if (changed instanceof Refusal) throw new Error(changed.message);
}
