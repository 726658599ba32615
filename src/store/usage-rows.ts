import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  UsageColumn,
} from '../watch/requests/usage-store.ts';

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

/** Returns the figures of a sum, in the order of `REQUEST_FIGURES`. */
export const figuresOf = (sum: RequestSum): number[] => [
  sum.requests,
  sum.inputTokens,
  sum.cachedInputTokens,
  sum.outputTokens,
  sum.microcredits,
  sum.errors,
];

type Row = Readonly<Record<string, unknown>>;

/** A page reads tens of thousands of rows, so a row is made without copies. */
export function chargeRow(row: Row): ChargeSeriesRow {
  const read: ChargeSeriesRow = {
    at: Number(row.at),
    requests: Number(row.requests),
    inputTokens: Number(row.input_tokens),
    cachedInputTokens: Number(row.cached_input_tokens),
    outputTokens: Number(row.output_tokens),
    microcredits: Number(row.microcredits),
  };
  if (row.model !== undefined) read.model = String(row.model);
  if (row.key_id !== undefined) read.key = String(row.key_id);
  return read;
}

export function requestRow(row: Row): RequestSeriesRow {
  const read = chargeRow(row) as RequestSeriesRow;
  if (row.user !== undefined) read.user = String(row.user);
  if (row.code !== undefined) read.code = String(row.code);
  read.errors = Number(row.errors);
  return read;
}
