import type { UsageFigures, UsageMetric } from '../../../src/console/dashboard/usage-schema.ts';
import { formatCompact } from '../../components/format.ts';
import { formatMicrocreditsInUsd } from '../../components/microcredits.ts';

export const tokensOf = (figures: UsageFigures): number =>
  figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens;

type MetricWords = {
  label: string;
  format: (value: number) => string;
  figureOf: (figures: UsageFigures) => number;
};

/** The figures that a chart can show. */
export const metrics: Readonly<Record<UsageMetric, MetricWords>> = {
  spend: {
    label: 'Spend',
    format: formatMicrocreditsInUsd,
    figureOf: ({ microcredits }) => microcredits,
  },
  requests: { label: 'Requests', format: formatCompact, figureOf: ({ requests }) => requests },
  tokens: { label: 'Tokens', format: formatCompact, figureOf: tokensOf },
  errors: { label: 'Errors', format: formatCompact, figureOf: ({ errors }) => errors },
};
