import { keysOf } from '../base/lib/records.ts';
import type { UsageSum } from '../money/ledger/ledger-store.ts';
import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  UsageColumn,
} from '../watch/requests/usage-store.ts';
import type { CommonRow } from './common-queries.ts';
import { number, text } from './row-columns.ts';

/** The columns of the tables, which both stores name in the same way. */
export const usageColumns: Readonly<Record<UsageColumn, string>> = {
  model: 'model',
  key: 'key_id',
  user: '"user"',
  code: 'code',
};

/** The figures of a request as columns, with the members of its sum. */
const members = {
  requests: 'requests',
  input_tokens: 'inputTokens',
  cached_input_tokens: 'cachedInputTokens',
  output_tokens: 'outputTokens',
  microcredits: 'microcredits',
  errors: 'errors',
} as const satisfies Record<string, keyof RequestSum>;

export const REQUEST_FIGURES = keysOf(members);
/** The figures of charges, which have no errors. */
export const USAGE_FIGURES = REQUEST_FIGURES.filter((figure) => figure !== 'errors');

/** Returns a figure of a sum. */
export const figureIn = (sum: RequestSum, figure: keyof typeof members): number => sum[members[figure]];

/** A page reads tens of thousands of rows, so a row is made without copies. */
export function chargeRow(row: CommonRow): ChargeSeriesRow {
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

export function requestRow(row: CommonRow): RequestSeriesRow {
  const read = chargeRow(row) as RequestSeriesRow;
  if (row.user !== undefined) read.user = String(row.user);
  if (row.code !== undefined) read.code = String(row.code);
  read.errors = Number(row.errors);
  return read;
}

/** Reads the sums of a group, which the column `name` has. */
export const usageSumOfRow = (row: CommonRow): UsageSum => ({
  group: text(row, 'name'),
  requests: number(row, 'requests'),
  inputTokens: number(row, 'input_tokens'),
  cachedInputTokens: number(row, 'cached_input_tokens'),
  outputTokens: number(row, 'output_tokens'),
  microcredits: number(row, 'microcredits'),
});
