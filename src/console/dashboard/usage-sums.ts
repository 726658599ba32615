import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  UsageColumn,
  UsageStore,
} from '../../api/usage/usage-store.ts';
import type { UsageFigures, UsageMetric } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** The figures of one hour or day and of one group. */
export type UsageCell = UsageFigures & { at: number; group: string };

type Reading = { usage: UsageStore; accountId: string };

export type ReadUsage = {
  cells: UsageCell[];
  /** The errors by their codes. */
  codes: Map<string, number>;
};

/**
 * Reads the figures of a span by hour or day and by group. Charges are those of the ledger. If end users matter, they are those of the
 * requests that named one, and the rest of the ledger's charges is the group ''. Each table is read once.
 */
export async function readCells({ usage, accountId }: Reading, span: UsageSpan): Promise<ReadUsage> {
  const { step, from, to, by, where } = span;
  const { user, ...ofLedger } = where;
  const asked = { accountId, step, from, to };
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...asked, by: [by, 'code'], where }),
    user === undefined
      ? usage.chargeSeries({ ...asked, by: by === 'user' ? [] : [by], where: ofLedger })
      : undefined,
  ]);
  const failed = requests.filter(({ errors }) => errors > 0);
  const codes = new Map<string, number>();
  for (const { code = '', errors } of failed) codes.set(code, (codes.get(code) ?? 0) + errors);
  const errors = failed.map((row) => errorCell(row, groupIn(row, by)));
  const charged =
    charges === undefined
      ? requests.map((row) => cellOf(row, groupIn(row, by)))
      : by === 'user'
        ? withoutUser(charges, requests)
        : charges.map((row) => cellOf(row, row[by] ?? ''));
  return { cells: [...errors, ...charged], codes };
}

/** Reads the totals of a span. */
export async function readTotals(reading: Reading, span: UsageSpan): Promise<UsageFigures> {
  const { usage, accountId } = reading;
  const { step, from, to, where } = span;
  const { user, ...ofLedger } = where;
  const asked = { accountId, step, from, to, by: [] };
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...asked, where }),
    user === undefined ? usage.chargeSeries({ ...asked, where: ofLedger }) : undefined,
  ]);
  const totals = noFigures();
  for (const row of requests) totals.errors += row.errors;
  for (const row of charges ?? requests) addFigures(totals, cellOf(row, ''));
  return totals;
}

const groupIn = (row: RequestSeriesRow, column: Exclude<UsageColumn, 'code'>): string => row[column] ?? '';

const NOTHING: UsageFigures = {
  requests: 0,
  errors: 0,
  uncached_input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  microcredits: 0,
};

const cellOf = (row: ChargeSeriesRow, group: string): UsageCell => ({
  at: row.at,
  group,
  requests: row.requests,
  errors: 0,
  uncached_input_tokens: row.inputTokens - row.cachedInputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  microcredits: row.microcredits,
});

const errorCell = ({ at, errors }: RequestSeriesRow, group: string): UsageCell => ({
  at,
  group,
  requests: 0,
  errors,
  uncached_input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  microcredits: 0,
});

/** The charges of end users, and the rest of each hour's or day's charges. A request may be charged an hour after it began. */
function withoutUser(
  charges: readonly ChargeSeriesRow[],
  requests: readonly RequestSeriesRow[],
): UsageCell[] {
  const named = requests.filter(({ user }) => user !== '').map((row) => cellOf(row, row.user ?? ''));
  const rest = new Map(charges.map((row) => [row.at, cellOf(row, '')]));
  for (const cell of named) {
    const left = rest.get(cell.at);
    if (left) addFigures(left, cell, -1);
  }
  for (const left of rest.values())
    for (const figure of figureNames) left[figure] = Math.max(0, left[figure]);
  return [...named, ...rest.values()];
}

export const figureNames = Object.keys(NOTHING) as (keyof UsageFigures)[];

export const noFigures = (): UsageFigures => ({ ...NOTHING });

/** A page adds tens of thousands of cells, so the members are named here. */
export function addFigures(to: UsageFigures, add: UsageFigures, times = 1): void {
  to.requests += add.requests * times;
  to.errors += add.errors * times;
  to.uncached_input_tokens += add.uncached_input_tokens * times;
  to.cached_input_tokens += add.cached_input_tokens * times;
  to.output_tokens += add.output_tokens * times;
  to.microcredits += add.microcredits * times;
}

/** The figure of a metric. */
export const metricOf: Readonly<Record<UsageMetric, (figures: UsageFigures) => number>> = {
  spend: ({ microcredits }) => microcredits,
  requests: ({ requests }) => requests,
  tokens: (figures) => figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens,
  errors: ({ errors }) => errors,
};
