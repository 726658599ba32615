import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';
import type { CustomerBody } from './billing-record.ts';
import type { CustomerRecord } from './customers.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';

/** A subscription with the account that it pays for. */
export type FollowedSubscription = {
  customer: CustomerRecord;
  account: Account;
  subscription: StripeSubscription;
};

/** The change of the customer's record. */
export type CustomerChange = { body: Partial<CustomerBody>; dueAt: number | null };

/** Returns the start of the subscription's current period, in milliseconds. */
export const periodStartOf = ({ current_period_start }: StripeSubscription): number =>
  current_period_start * 1_000;

/** Changes the account in the name of Stripe. */
export async function changeAccount(
  { accounts }: BillingParts,
  { id }: Account,
  wanted: AccountChange,
): Promise<void> {
  acceptedOrError(await accounts.change(id, wanted, STRIPE));
}

/** Ends the plan that the subscription has paid for. A plan that an operator has set since stays. */
export async function endPlan(
  parts: BillingParts,
  { customer, account }: FollowedSubscription,
): Promise<void> {
  const { pendingPlan, plan, unpaidFrom } = account;
  const isPaid = customer.body.plan !== null && plan === customer.body.plan && hasCycle(plan);
  if (!isPaid && unpaidFrom === null) return;
  await changeAccount(parts, account, {
    unpaidFrom: null,
    ...(isPaid && { paidPlan: pendingPlan === 'payg' ? 'payg' : 'free' }),
  });
}
