import type { Plan, PlanId } from './plan.ts';

export type Plans = Readonly<Record<PlanId, Plan>>;
