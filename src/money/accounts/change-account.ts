import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import type { Account } from './account.ts';
import type { AccountChange } from './accounts.ts';
import { canBecome } from './can-become.ts';
import { changePlan, payPlan } from './change-plan.ts';
import { cycleFrom } from './cycle-from.ts';
import { refuseClosed } from './refuse-closed-account.ts';

type ChangeContext = { plans: Plans; now: number };

/** Returns an account (from `rollCycle`) with some fields changed, or the reason for a refusal. */
export function changeAccount(
  account: Account,
  change: AccountChange,
  { plans, now }: ChangeContext,
): Account | Refusal {
  const { plan, paidPlan, nextPlan, cycleStartedAt, status, ...fields } = change;
  if (status !== undefined && !canBecome(account.status, status)) {
    return new Refusal('conflict', {
      message: `A ${account.status} account cannot become ${status}; make it active first.`,
      param: 'status',
    });
  }
  if (plan !== undefined && account.status === 'closed' && status !== 'active') return refuseClosed('plan');
  if (cycleStartedAt !== undefined && cycleStartedAt > now) {
    return invalidParam('cycle_started_at', 'must not be in the future.');
  }
  const paid = paidPlan === undefined ? account : payPlan(account, { plan: paidPlan, plans, now });
  const planned = plan === undefined ? paid : changePlan(paid, { plan, plans, now });
  return {
    ...planned,
    ...(nextPlan !== undefined && { pendingPlan: nextPlan === planned.plan ? null : nextPlan }),
    // The fields apply after the plan, since prices and figures in the same change belong to the new plan.
    ...fields,
    ...(status !== undefined && { status }),
    ...(cycleStartedAt !== undefined && cycleFrom(cycleStartedAt)),
  };
}
