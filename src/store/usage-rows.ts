import type { ChargeSeriesRow, RequestSeriesRow, RequestSum, UsageColumn } from '../api/usage/usage-store.ts';

/** The columns of the tables, which both stores name in the same way. */
export const usageColumns: Readonly<Record<UsageColumn, string>> = {
  model: 'model',
  key: 'key_id',
  user: '"user"',
  code: 'code',
};

export const USAGE_FIGURES = [
  'requests',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'microcredits',
] as const;

export const REQUEST_FIGURES = [...USAGE_FIGURES, 'errors'] as const;

/** The figures of a sum, in the order of `REQUEST_FIGURES`. */
export const figuresOf = (sum: RequestSum): number[] => [
  sum.requests,
  sum.inputTokens,
  sum.cachedInputTokens,
  sum.outputTokens,
  sum.microcredits,
  sum.errors,
];

type Row = Readonly<Record<string, unknown>>;

export const chargeRow = (row: Row): ChargeSeriesRow => ({
  at: Number(row.at),
  ...(row.model !== undefined && { model: String(row.model) }),
  ...(row.key_id !== undefined && { key: String(row.key_id) }),
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  cachedInputTokens: Number(row.cached_input_tokens),
  outputTokens: Number(row.output_tokens),
  microcredits: Number(row.microcredits),
});

export const requestRow = (row: Row): RequestSeriesRow => ({
  ...chargeRow(row),
  ...(row.user !== undefined && { user: String(row.user) }),
  ...(row.code !== undefined && { code: String(row.code) }),
  errors: Number(row.errors),
});
