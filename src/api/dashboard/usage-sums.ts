import type { ChargeSeriesRow, RequestSeriesRow, UsageColumn, UsageStore } from '../usage/usage-store.ts';
import type { UsageFigures, UsageMetric } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** The figures of one hour or day and of one group. */
export type UsageCell = UsageFigures & { at: number; group: string };

type Reading = { usage: UsageStore; accountId: string };

/**
 * Reads the figures of a span by hour or day and by group. Charges are those of the ledger. If end users matter, they are those of the
 * requests that named one, and the rest of the ledger's charges is the group ''.
 */
export async function readCells({ usage, accountId }: Reading, span: UsageSpan): Promise<UsageCell[]> {
  const { step, from, to, by, where } = span;
  const { user, ...ofLedger } = where;
  const span_ = { accountId, step, from, to };
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...span_, by: [by], where }),
    user === undefined
      ? usage.chargeSeries({ ...span_, by: by === 'user' ? [] : [by], where: ofLedger })
      : undefined,
  ]);
  const errors = requests.map((row) => errorCell(row, groupIn(row, by)));
  if (charges === undefined) return [...errors, ...requests.map((row) => cellOf(row, groupIn(row, by)))];
  if (by !== 'user') return [...errors, ...charges.map((row) => cellOf(row, row[by] ?? ''))];
  return [...errors, ...withoutUser(charges, requests)];
}

const groupIn = (row: RequestSeriesRow, column: Exclude<UsageColumn, 'code'>): string => row[column] ?? '';

const NOTHING: UsageFigures = {
  ...{ requests: 0, errors: 0, uncached_input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
  microcredits: 0,
};

const cellOf = (row: ChargeSeriesRow, group: string): UsageCell => ({
  ...{ at: row.at, group, requests: row.requests, errors: 0 },
  uncached_input_tokens: row.inputTokens - row.cachedInputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  microcredits: row.microcredits,
});

const errorCell = ({ at, errors }: RequestSeriesRow, group: string): UsageCell => ({
  ...NOTHING,
  ...{ at, group, errors },
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

export function addFigures(to: UsageFigures, add: UsageFigures, times = 1): void {
  for (const figure of figureNames) to[figure] += add[figure] * times;
}

/** The figure of a metric. */
export const metricOf: Readonly<Record<UsageMetric, (figures: UsageFigures) => number>> = {
  spend: ({ microcredits }) => microcredits,
  requests: ({ requests }) => requests,
  tokens: (figures) => figures.uncached_input_tokens + figures.cached_input_tokens + figures.output_tokens,
  errors: ({ errors }) => errors,
};
