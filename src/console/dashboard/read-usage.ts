import { recordOf } from '../../base/lib/records.ts';
import type { ChargeSeriesRow, RequestSeriesRow, UsageColumn } from '../../watch/requests/usage-store.ts';
import { addFigures, figureNames, figuresOf, noFigures } from './usage-figures.ts';
import type { UsageReading } from './usage-reading.ts';
import type { UsageFigures } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** The figures of one hour or day and of one group. */
export type UsageCell = UsageFigures & { at: number; group: string };

/**
 * The sums of a span. `charges` is undefined if one end user is asked for, since the ledger knows no end
 * users.
 */
type UsageRows = { requests: RequestSeriesRow[]; charges: ChargeSeriesRow[] | undefined };

/** The columns that distinguish the sums of requests and those of charges. */
type UsageColumns = { ofRequests: readonly UsageColumn[]; ofCharges: readonly ('model' | 'key')[] };

export type SpanUsage = {
  cells: UsageCell[];
  /** The errors by their codes. */
  codes: Map<string, number>;
};

/** Reads the figures of a span by hour or day and by group. */
export async function readUsage(reading: UsageReading, span: UsageSpan): Promise<SpanUsage> {
  const { by } = span;
  const rows = await readRows(reading, span, {
    ofRequests: [by, 'code'],
    ofCharges: by === 'user' ? [] : [by],
  });
  const failed = rows.requests.filter(({ errors }) => errors > 0);
  const codes = new Map<string, number>();
  for (const { code = '', errors } of failed) codes.set(code, (codes.get(code) ?? 0) + errors);
  const errors = failed.map((row) => errorCell(row, row[by] ?? ''));
  return { cells: [...errors, ...chargedCells(rows, by)], codes };
}

/** Reads the sums of a span. */
export async function readUsageTotals(reading: UsageReading, span: UsageSpan): Promise<UsageFigures> {
  const { requests, charges } = await readRows(reading, span, { ofRequests: [], ofCharges: [] });
  const totals = noFigures();
  for (const row of requests) totals.errors += row.errors;
  for (const row of charges ?? requests) addFigures(totals, cellOf(row, ''));
  return totals;
}

/** Reads the sums of requests and the sums of charges. Each table is read once. */
async function readRows(
  { usage, accountId }: UsageReading,
  { step, from, to, where }: UsageSpan,
  { ofRequests, ofCharges }: UsageColumns,
): Promise<UsageRows> {
  const { user, ...ofLedger } = where;
  const spanQuery = { accountId, step, from, to };
  const [requests, charges] = await Promise.all([
    usage.requestSeries({ ...spanQuery, by: ofRequests, where }),
    user === undefined ? usage.chargeSeries({ ...spanQuery, by: ofCharges, where: ofLedger }) : undefined,
  ]);
  return { requests, charges };
}

/** Returns the charges by group: those of the ledger, or those of the requests that named an end user. */
function chargedCells({ requests, charges }: UsageRows, by: UsageSpan['by']): UsageCell[] {
  if (charges === undefined) return requests.map((row) => cellOf(row, row[by] ?? ''));
  if (by === 'user') return cellsByUser(charges, requests);
  return charges.map((row) => cellOf(row, row[by] ?? ''));
}

const cellOf = (row: ChargeSeriesRow, group: string): UsageCell => ({
  at: row.at,
  group,
  ...figuresOf(row),
});

const errorCell = ({ at, errors }: RequestSeriesRow, group: string): UsageCell => ({
  ...noFigures(),
  at,
  group,
  errors,
});

/** Returns the charges of each end user, and those of no end user as the group ''. */
function cellsByUser(
  charges: readonly ChargeSeriesRow[],
  requests: readonly RequestSeriesRow[],
): UsageCell[] {
  const named = requests.filter(({ user }) => user !== '').map((row) => cellOf(row, row.user ?? ''));
  const namedAt = Map.groupBy(named, ({ at }) => at);
  const unnamed = charges.map((row) => withoutCells(cellOf(row, ''), namedAt.get(row.at) ?? []));
  return [...named, ...unnamed];
}

/**
 * Returns a cell less other cells of its time. A request may be charged an hour after it began, so a
 * difference below zero counts as zero.
 */
function withoutCells(cell: UsageCell, subtracted: readonly UsageCell[]): UsageCell {
  const total = noFigures();
  for (const figures of subtracted) addFigures(total, figures);
  return { ...cell, ...recordOf(figureNames, (figure) => Math.max(0, cell[figure] - total[figure])) };
}
