import { withParameters } from '../../app/address.ts';

type Figures = {
  requests: number;
  errors: number;
  uncached_input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  microcredits: number;
};

/** The part of `GET …/usage` that the overview shows. */
export type OverviewUsage = {
  totals: Figures;
  previous: Figures;
  series: Record<keyof Figures, number[]>;
  codes: { code: string; errors: number }[];
};

/** The part of `GET …/usage/balance` that the overview shows. */
export type OverviewBalance = {
  plan_name: string;
  credits: { limit: number | null; remaining: number | null };
  purchased_credits: number;
  cycle_ends_at: string | null;
};

/** The part of `GET …/keys` that the overview shows. */
export type OverviewKeys = { counts: { active: number; ended: number } };

const HOUR_MS = 3_600_000;

/** The last 24 hours by the hour. It ends at the next full hour, so that the path stays the same for an hour. */
export function usagePath(now = Date.now()): string {
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const time = (ms: number) => new Date(ms).toISOString();
  return withParameters('/usage', { from: time(end - 24 * HOUR_MS), to: time(end), step: 'hour' });
}

const MICROCREDITS = 1_000_000;

export const creditsOf = (microcredits: number): number => microcredits / MICROCREDITS;
