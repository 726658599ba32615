import { hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { AccountSubscription } from './account-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { changeAsStripe } from './change-as-stripe.ts';

/** Ends the plan that the subscription has paid for. A plan that an operator has set since stays. */
export async function endPaidPlan(
  parts: BillingParts,
  { customer, account }: AccountSubscription,
): Promise<void> {
  const { pendingPlan, plan, unpaidFrom } = account;
  const isPaid = customer.body.plan !== null && plan === customer.body.plan && hasCycle(plan);
  if (!isPaid && unpaidFrom === null) return;
  await changeAsStripe(parts, account, {
    unpaidFrom: null,
    ...(isPaid && { paidPlan: pendingPlan === 'payg' ? 'payg' : 'free' }),
  });
}
