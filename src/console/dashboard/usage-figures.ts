import { keysOf } from '../../base/lib/records.ts';
import type { ChargeSeriesRow } from '../../watch/requests/usage-store.ts';
import type { UsageFigures, UsageMetric } from './usage-schema.ts';

const NOTHING: UsageFigures = {
  requests: 0,
  errors: 0,
  uncached_input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  microcredits: 0,
};

/** The names of all figures. */
export const figureNames = keysOf(NOTHING);

/** Returns figures that are all zero. */
export const noFigures = (): UsageFigures => ({ ...NOTHING });

/** Returns the figures of a sum of charges. Sums of requests count their errors too. */
export const figuresOf = (row: ChargeSeriesRow, errors = 0): UsageFigures => ({
  requests: row.requests,
  errors,
  uncached_input_tokens: row.inputTokens - row.cachedInputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  microcredits: row.microcredits,
});

/** Adds figures to a total. A page adds tens of thousands, so the members are named here. */
export function addFigures(total: UsageFigures, figures: UsageFigures): void {
  total.requests += figures.requests;
  total.errors += figures.errors;
  total.uncached_input_tokens += figures.uncached_input_tokens;
  total.cached_input_tokens += figures.cached_input_tokens;
  total.output_tokens += figures.output_tokens;
  total.microcredits += figures.microcredits;
}

/** The figure that a metric compares. */
export const metricOf: Readonly<Record<UsageMetric, (figures: UsageFigures) => number>> = {
  spend: ({ microcredits }) => microcredits,
  requests: ({ requests }) => requests,
  tokens: (figures) => figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens,
  errors: ({ errors }) => errors,
};
