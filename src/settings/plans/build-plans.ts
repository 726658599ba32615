import { recordBy } from '../../base/lib/records.ts';
import { builtinPlans, type Plan, type PlanFigures, type PlanId, type Plans } from './plan.ts';

/** The name of each figure in the configuration. */
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

type FullRow = { [field in keyof typeof planFields]: PlanFigures[(typeof planFields)[field]] };
export type PlanFigureRow = Partial<FullRow>;

/** Converts the figures of a row to the internal names. */
export function figuresOf(row: PlanFigureRow): Partial<PlanFigures> {
  const entries = Object.entries(planFields).flatMap(([field, name]) =>
    row[field as keyof PlanFigureRow] === undefined ? [] : [[name, row[field as keyof PlanFigureRow]]],
  );
  return Object.fromEntries(entries) as Partial<PlanFigures>;
}

/** Converts figures to the names of the configuration file. */
export function rowOfFigures(figures: PlanFigures): FullRow;
export function rowOfFigures(figures: Partial<PlanFigures>): PlanFigureRow;
export function rowOfFigures(figures: Partial<PlanFigures>): PlanFigureRow {
  const entries = Object.entries(planFields).flatMap(([field, name]) =>
    name in figures ? [[field, figures[name]]] : [],
  );
  return Object.fromEntries(entries) as PlanFigureRow;
}

/** Overrides single figures of the built-in plans with the operator's. */
export function buildPlans(overrides: Readonly<Partial<Record<PlanId, PlanFigureRow>>>): Plans {
  const plans = builtinPlans.map((plan): Plan => ({ ...plan, ...figuresOf(overrides[plan.id] ?? {}) }));
  return recordBy(plans, ({ id }) => id);
}
