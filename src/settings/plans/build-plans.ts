import { recordBy } from '../../base/lib/records.ts';
import { builtinPlans, type Plan, type PlanId, type Plans } from './plan.ts';
import { figuresOfRow, type PlanFigureRow } from './plan-figures.ts';

/** Returns the built-in plans with the operator's figures in place of single ones. */
export function buildPlans(overrides: Readonly<Partial<Record<PlanId, PlanFigureRow>>>): Plans {
  const plans = builtinPlans.map((plan): Plan => ({ ...plan, ...figuresOfRow(overrides[plan.id] ?? {}) }));
  return recordBy(plans, ({ id }) => id);
}
