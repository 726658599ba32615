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

export const figureNames = keysOf(NOTHING);

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

/** A page adds tens of thousands of figures, so the members are named here. `times` is -1 to subtract. */
export function addFigures(to: UsageFigures, add: UsageFigures, times = 1): void {
  to.requests += add.requests * times;
  to.errors += add.errors * times;
  to.uncached_input_tokens += add.uncached_input_tokens * times;
  to.cached_input_tokens += add.cached_input_tokens * times;
  to.output_tokens += add.output_tokens * times;
  to.microcredits += add.microcredits * times;
}

export const metricOf: Readonly<Record<UsageMetric, (figures: UsageFigures) => number>> = {
  spend: ({ microcredits }) => microcredits,
  requests: ({ requests }) => requests,
  tokens: (figures) => figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens,
  errors: ({ errors }) => errors,
};
