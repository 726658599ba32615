import { Refusal } from '../../base/errors/refusal.ts';
import type { AccountSubscription, CustomerChange } from './account-subscription.ts';
import { applyLateSubscription } from './apply-late-subscription.ts';
import { applyPaidSubscription } from './apply-paid-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { withChange } from './change-record.ts';
import { type CustomerRecord, matchCustomer } from './customers.ts';
import { endPaidPlan } from './end-paid-plan.ts';
import { reportProblem } from './report-problem.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';
import { isLive, type Standing, standingOf } from './subscription-standing.ts';
import { untilSaved } from './until-saved.ts';

/**
 * Brings an account to the state of its subscription. The state is read anew, so the order of messages does
 * not matter. A writer that was overtaken starts again.
 */
export async function applySubscription(parts: BillingParts, id: string): Promise<void> {
  await untilSaved('the subscription', () => applyOnce(parts, id));
}

async function applyOnce(parts: BillingParts, id: string): Promise<'saved' | 'conflict' | 'unchanged'> {
  const path = `/v1/subscriptions/${encodeURIComponent(id)}`;
  const subscription = await parts.stripe.get<StripeSubscription>(path);
  const customer = await matchCustomer(parts, subscription.customer, subscription.metadata['account_id']);
  if (!customer) {
    reportProblem(parts, { problem: 'no-account', subscription: id });
    return 'unchanged';
  }
  // The state is read after the record, so that a faster writer is noticed.
  const change = await changeFor(parts, customer, await parts.stripe.get<StripeSubscription>(path));
  return change ? parts.store.saveBilling(withChange(customer, change)) : 'unchanged';
}

type Apply = (
  parts: BillingParts,
  accountSubscription: AccountSubscription,
) => Promise<CustomerChange | undefined>;

/** Applies a subscription to its account by its standing. Each is safe to repeat. */
const applications: Readonly<Record<Standing, Apply>> = {
  paid: applyPaidSubscription,
  late: applyLateSubscription,
  over: applyEndedSubscription,
};

/** Applies a subscription by its standing, and returns the change of the customer's record. */
async function changeFor(
  parts: BillingParts,
  customer: CustomerRecord,
  subscription: StripeSubscription,
): Promise<CustomerChange | undefined> {
  const account = await parts.accounts.find(customer.id);
  if (account instanceof Refusal) {
    reportProblem(parts, { problem: 'no-account', subscription: subscription.id });
    return undefined;
  }
  const standing = standingOf(subscription.status);
  const isOther = customer.body.subscriptionId !== null && customer.body.subscriptionId !== subscription.id;
  if (isOther && isLive(customer.body)) {
    if (standing !== 'paid') return undefined; // an older one has ended
    const { id } = subscription;
    reportProblem(parts, { problem: 'two-subscriptions', accountId: account.id, subscription: id });
  }
  return standing && applications[standing](parts, { customer, account, subscription });
}

async function applyEndedSubscription(
  parts: BillingParts,
  accountSubscription: AccountSubscription,
): Promise<CustomerChange> {
  await endPaidPlan(parts, accountSubscription);
  const { id, status } = accountSubscription.subscription;
  return { body: { subscriptionId: id, status, plan: null, graceUntil: null }, dueAt: null };
}
