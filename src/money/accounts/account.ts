import type { PlanFigures, PlanId } from '../../settings/plans/plan.ts';

export type AccountStatus = 'active' | 'suspended' | 'closed';

/**
 * Who pays. What changes by itself with time (cycle, pending plan) is derived on reading: see `rollCycle`.
 */
export type Account = {
  id: string;
  name: string;
  email: string | null;
  emailVerified: boolean;
  plan: PlanId;
  /** A cheaper plan that acts at the next renewal. */
  pendingPlan: PlanId | null;
  status: AccountStatus;
  /** A price kept from before; null: the plan's own. */
  priceUsdPerMonth: number | null;
  /** Enterprise's own figures, field by field over the plan's. */
  planOverrides: Partial<PlanFigures> | null;
  /** All times in milliseconds since 1970, UTC. */
  cycleStartedAt: number;
  /** The day of the month on which cycles start: 31 falls on the last day of shorter months. */
  cycleDay: number;
  createdAt: number;
  /** Rises by one with every change: a writer that read an older version is refused. */
  version: number;
};
