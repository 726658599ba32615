import type { Plans } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import { accountFigures } from '../accounts/plan-terms.ts';
import { rollCycle } from '../accounts/roll-cycle.ts';
import { periodOf, resetsAt } from '../ledger/period.ts';
import type { Principal } from './principal.ts';

/** A principal, with the plans and the span of time that it is derived for. `until` is exclusive. */
export type DerivedPrincipal = { plans: Plans; principal: Principal; from: number; until: number };

type Stored = { apiKey: ApiKey; account: Account };

/**
 * Derives the account, its plan and its period.
 * The result is valid until the next renewal, grant or change of the plans.
 */
export function derivePrincipal(
  { apiKey, account: stored }: Stored,
  plans: Plans,
  now: number,
): DerivedPrincipal {
  const account = rollCycle(stored, now);
  const plan = accountFigures(account, plans);
  const period = periodOf(account, plan);
  return {
    plans,
    principal: { apiKey, account, plan, period },
    from: account === stored ? Number.NEGATIVE_INFINITY : (period.daily?.from ?? period.startedAt),
    until: resetsAt(period) ?? Number.POSITIVE_INFINITY,
  };
}

/** Reports whether a derived principal is still the one of its key and account. */
export const isCurrent = (derived: DerivedPrincipal, plans: Plans, now: number): boolean =>
  derived.plans === plans && now >= derived.from && now < derived.until;
