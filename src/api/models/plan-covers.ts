import type { Model } from '../../settings/catalog/model.ts';
import { planIncludes } from '../../settings/catalog/model-access.ts';
import type { Plan, Plans } from '../../settings/plans/plan.ts';

/** Reports whether an account on a plan can use a model. The pay-as-you-go plan covers every model. */
export const planCovers = (plan: Plan, model: Model, plans: Plans): boolean =>
  plan.id === 'payg' || planIncludes(plan, model, plans);
