import { builtinPlans, type Plan, type PlanFigures, type PlanId } from './plan.ts';
import type { Plans } from './plans.ts';

/** The configuration's name of each figure. */
export const planFields = {
  price_usd: 'priceUsd',
  credits: 'credits',
  requests_per_min: 'requestsPerMinute',
  requests_per_5min: 'requestsPer5Minutes',
  concurrent: 'concurrent',
  tokens_per_min: 'tokensPerMinute',
  max_prompt_tokens: 'maxPromptTokens',
  tokens_per_day: 'tokensPerDay',
  network_requests_per_min: 'networkRequestsPerMinute',
  stored_mb: 'storedMb',
} as const satisfies Record<string, keyof PlanFigures>;

export type PlanFigureRow = { [field in keyof typeof planFields]?: number | null };

/** Only the figures that the row names, in our own names. */
export function figuresOf(row: PlanFigureRow): Partial<PlanFigures> {
  const entries = Object.entries(planFields).flatMap(([field, name]) =>
    row[field as keyof PlanFigureRow] === undefined ? [] : [[name, row[field as keyof PlanFigureRow]]],
  );
  return Object.fromEntries(entries) as Partial<PlanFigures>;
}

export function rowOfFigures(figures: Partial<PlanFigures>): PlanFigureRow {
  const entries = Object.entries(planFields).flatMap(([field, name]) =>
    name in figures ? [[field, figures[name]]] : [],
  );
  return Object.fromEntries(entries) as PlanFigureRow;
}

/** The built-in table with the operator's figures over it, field by field. */
export function buildPlans(overrides: Readonly<Partial<Record<PlanId, PlanFigureRow>>>): Plans {
  const plans = builtinPlans.map((plan): [string, Plan] => [
    plan.id,
    { ...plan, ...figuresOf(overrides[plan.id] ?? {}) },
  ]);
  return Object.fromEntries(plans) as Record<Plan['id'], Plan>;
}
