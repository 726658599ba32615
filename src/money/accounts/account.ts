import type { PlanFigures, PlanId } from '../../settings/plans/plan.ts';

export type AccountStatus = 'active' | 'suspended' | 'closed';

/**
 * A customer. `rollCycle` derives the fields that change with time (cycle, pending plan) when the account is
 * read.
 */
export type Account = {
  id: string;
  name: string;
  email: string | null;
  emailVerified: boolean;
  plan: PlanId;
  /** A cheaper plan that takes effect at the next renewal. */
  pendingPlan: PlanId | null;
  status: AccountStatus;
  /** The price that this customer keeps from an earlier price list. `null` means the plan's price. */
  priceUsdPerMonth: number | null;
  /** Figures agreed for an Enterprise account. Each field replaces the plan's. */
  planOverrides: Partial<PlanFigures> | null;
  /**
   * The account's hosted tools are removed or refused, because upstreams reported more of them than was held.
   * Default: no.
   */
  hostedToolsStopped?: boolean;
  /**
   * The renewal of cycles that start from this time on is not paid yet. Their credits come day by day. `null`
   * means that everything is paid.
   */
  unpaidFrom: number | null;
  /** True if the account has budgets. The field is derived. */
  hasBudgets?: true;
  /**
   * The days of an unpaid cycle whose credits are granted. Undefined if all are. The field is derived.
   */
  daysGranted?: number;
  /** All times are in milliseconds since 1970, UTC. */
  cycleStartedAt: number;
  /** The day of the month on which cycles start. Shorter months use their last day. */
  cycleDay: number;
  createdAt: number;
  /** Incremented by every change. A writer that read an older version is refused. */
  version: number;
};
