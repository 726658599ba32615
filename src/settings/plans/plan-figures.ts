import type { PlanFigures } from './plan.ts';

/** The internal name of each figure, by its name in the configuration. */
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
export function figuresOfRow(row: PlanFigureRow): Partial<PlanFigures> {
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
