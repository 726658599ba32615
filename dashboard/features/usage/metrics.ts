import type { UsageFigures, UsageMetric } from '../../../src/console/dashboard/usage-schema.ts';
import { formatCompact, formatNumber, formatTokens } from '../../components/format.ts';
import { formatMicrocreditsInUsd } from '../../components/microcredits.ts';

export const tokensOf = (figures: UsageFigures): number =>
  figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens;

type MetricWords = {
  label: string;
  format: (value: number) => string;
  of: (figures: UsageFigures) => number;
};

/** The figures that a chart can show. */
export const metrics: Readonly<Record<UsageMetric, MetricWords>> = {
  spend: {
    label: 'Spend',
    format: (value) => formatMicrocreditsInUsd(value),
    of: ({ microcredits }) => microcredits,
  },
  requests: { label: 'Requests', format: formatCompact, of: ({ requests }) => requests },
  tokens: { label: 'Tokens', format: formatCompact, of: tokensOf },
  errors: { label: 'Errors', format: formatCompact, of: ({ errors }) => errors },
};

export const exact: Readonly<Record<UsageMetric, (value: number) => string>> = {
  spend: (value) => formatMicrocreditsInUsd(value),
  requests: formatNumber,
  tokens: formatTokens,
  errors: formatNumber,
};
