import { catalogue } from '../../base/errors/catalogue.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { lookUp, recordOf } from '../../base/lib/records.ts';
import { DAILY_DAYS, HOURLY_DAYS, MAX_USERS_A_DAY } from '../../watch/requests/usage-store.ts';
import { groupUsage, sumGroups } from './group-usage.ts';
import { readUsage, readUsageTotals, type UsageCell } from './read-usage.ts';
import { addFigures, figureNames, noFigures } from './usage-figures.ts';
import type { UsageReading } from './usage-reading.ts';
import type { UsageFigures, UsageReport } from './usage-schema.ts';
import { STEP_MS, type UsageSpan } from './usage-span.ts';

/** A chart shows at most this many groups. */
const MAX_GROUPS = 8;
const MAX_CODES = 20;
/** Longer spans are not compared with those before them. */
const MAX_COMPARED_STEPS = 14 * 24;
/** A report can be filtered by the models of this many last hours or days. */
const MODEL_STEPS = 24;

/** Reports a span of usage from roll-ups alone. */
export async function reportUsage(reading: UsageReading, span: UsageSpan): Promise<UsageReport> {
  const { now } = reading;
  const { step, from, to, by, metric, where } = span;
  const length = to - from;
  const before = { ...span, from: from - length, to: from };
  const [{ cells, codes }, previous, models] = await Promise.all([
    readUsage(reading, span),
    length > MAX_COMPARED_STEPS ? null : readUsageTotals(reading, before),
    by === 'model' && where.model === undefined ? [] : readModels(reading, span),
  ]);
  const groups = groupUsage(cells, span);
  const shownModels = by === 'model' ? groups.map(({ id }) => id) : [];
  const width = STEP_MS[step];
  return {
    from: isoTime(from * width),
    to: isoTime(to * width),
    step,
    by,
    metric,
    times: Array.from({ length }, (_, index) => isoTime((from + index) * width)),
    totals: totalOf(cells),
    previous,
    series: seriesOf(cells, span),
    groups: groups.slice(0, MAX_GROUPS),
    rest: sumGroups(groups.slice(MAX_GROUPS), length),
    codes: countCodes(codes),
    models: [...new Set([...models, ...shownModels])].filter((model) => model !== '').sort(),
    detailed_from: isoTime(detailedFrom(step, now) * width),
    most_users: MAX_USERS_A_DAY,
  };
}

/** Reads the models of the last part of a span. */
async function readModels(
  { usage, accountId }: UsageReading,
  { step, from, to }: UsageSpan,
): Promise<string[]> {
  const latest = { accountId, step, from: Math.max(from, to - MODEL_STEPS), to };
  const charges = await usage.chargeSeries({ ...latest, by: ['model'], where: {} });
  return charges.map(({ model = '' }) => model);
}

const detailedFrom = (step: UsageSpan['step'], now: number): number =>
  step === 'hour'
    ? Math.floor(now / STEP_MS.hour) - 24 * HOURLY_DAYS
    : Math.floor(now / STEP_MS.day) - DAILY_DAYS;

function totalOf(cells: readonly UsageCell[]): UsageFigures {
  const total = noFigures();
  for (const cell of cells) addFigures(total, cell);
  return total;
}

function seriesOf(cells: readonly UsageCell[], { from, to }: UsageSpan): UsageReport['series'] {
  const series = recordOf(figureNames, () => new Array<number>(to - from).fill(0));
  for (const figure of figureNames) {
    const values = series[figure];
    for (const cell of cells) values[cell.at - from]! += cell[figure];
  }
  return series;
}

const countCodes = (counted: ReadonlyMap<string, number>): UsageReport['codes'] =>
  [...counted]
    .map(([code, errors]) => ({ code, status: lookUp(catalogue, code)?.status ?? 500, errors }))
    .sort((one, other) => other.errors - one.errors || (one.code < other.code ? -1 : 1))
    .slice(0, MAX_CODES);
