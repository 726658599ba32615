import type { Plan, PlanId, Plans } from '../plans/plan.ts';
import type { Model } from './model.ts';

/**
 * Reports whether a plan's monthly credits can pay for a model. Pay-as-you-go mode can pay for every model.
 */
export function planIncludes(plan: Plan, model: Model, plans: Plans): boolean {
  if (model.plan === 'payg' || plan.id === 'payg') return false;
  if (plan.id === 'launch') return model.launch;
  return plans[model.plan].rank <= plan.rank;
}

/** Returns the cheapest available plan that includes the model, or `payg` if no plan does. */
export function unlockedBy(model: Model, plans: Plans): PlanId {
  const candidates = Object.values(plans)
    .filter((plan) => plan.buyable && planIncludes(plan, model, plans))
    .sort((one, other) => one.rank - other.rank);
  return candidates[0]?.id ?? 'payg';
}
