import type { PriceConditionRow } from '../../../src/settings/config/price-schema.ts';

/**
 * The bill by the documented rules, written without the code under test and in whole numbers. A unit is a
 * millionth of a micro-credit per token, and a dollar per million tokens is 500,000,000 units.
 */

export type Tier = 'flex' | 'priority' | 'fast' | 'ultrafast';
export const tiers: readonly Tier[] = ['flex', 'priority', 'fast', 'ultrafast'];

type Priced = { input: number; output: number; cached_input: number | null };
type Write = 'cache_write_30m' | 'cache_write_1h';

/** Prices have at most four decimals, and factors at most two. */
export type PriceTable = {
  base: Priced;
  conditions: readonly PriceConditionRow[];
  extras: Partial<Record<Tier | Write | 'inference_geo', number>>;
};

/** The quantities of a request, and the time of its admission. */
export type Request = { at: number; asked?: Tier | undefined; region?: string | undefined };

/** The usage that the upstream reports. `isUnreported` is true if the client left before any report. */
export type Report = {
  input: number;
  cached: number;
  output: number;
  written?: Partial<Record<Write, number>>;
  reported?: readonly (Tier | 'inference_geo')[];
  isUnreported?: boolean;
};

export type Bill = { microcredits: number; row: string };

const UNITS = 500_000_000n;
const DECIMALS = 10_000n;

const unitsOf = (usd: number): bigint => (BigInt(Math.round(usd * Number(DECIMALS))) * UNITS) / DECIMALS;

/** Multiplies by factors with two decimals, and rounds once. */
function times(units: bigint, ...factors: readonly number[]): bigint {
  const numerator = factors.reduce((product, one) => product * BigInt(Math.round(one * 100)), units);
  const denominator = 100n ** BigInt(factors.length);
  return (numerator + denominator / 2n) / denominator;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const DAY_MS = 86_400_000;

/** Reports whether a row applies at a time. A window can begin on the day itself or on the day before. */
function isOpen({ hours, from, until }: PriceConditionRow, at: number): boolean {
  if (from !== undefined && at < new Date(from).getTime()) return false;
  if (until !== undefined && at >= new Date(until).getTime()) return false;
  if (hours === undefined) return true;
  return hours.some(({ days, from: begin, to }) =>
    [0, 1].some((daysAgo) => {
      const midnight = new Date(new Date(at).setUTCHours(0, 0, 0, 0) - daysAgo * DAY_MS);
      if (!days.includes(DAYS[midnight.getUTCDay()]!)) return false;
      const msOf = (clock: string) => Number(clock.slice(0, 2)) * 3_600_000 + Number(clock.slice(3)) * 60_000;
      const starts = midnight.getTime() + msOf(begin);
      const ends = midnight.getTime() + msOf(to) + (msOf(to) <= msOf(begin) ? DAY_MS : 0);
      return at >= starts && at < ends;
    }),
  );
}

const isFaster = (tier: string | undefined): boolean => tier === 'fast' || tier === 'priority';

function ratesOf({ base }: PriceTable, row: PriceConditionRow | undefined) {
  const factor = row?.factor ?? 1;
  const rate = (own: number | undefined, usual: number) =>
    own === undefined ? times(unitsOf(usual), factor) : unitsOf(own);
  const input = rate(row?.input, base.input);
  const output = rate(row?.output, base.output);
  if (row?.cached_input !== undefined)
    return { input, output, cached: row.cached_input === null ? input : unitsOf(row.cached_input) };
  return { input, output, cached: base.cached_input === null ? input : rate(undefined, base.cached_input) };
}

/** Returns the rows that time and region leave, in order. */
const rowsAt = ({ conditions }: PriceTable, { at, region }: Request): PriceConditionRow[] =>
  conditions.filter((row) => isOpen(row, at) && (row.region === undefined || row.region === region));

/** Returns the name of the tier that is billed. It is empty for the default tier. */
function billedTier(
  table: PriceTable,
  request: Request,
  { reported = [], isUnreported = false }: Report,
): string[] {
  const { asked } = request;
  const rows = rowsAt(table, request);
  const names = (tier: Tier): string[] => {
    if (isUnreported) return isFaster(tier) ? [tier, 'fast', 'priority'] : [tier];
    return isFaster(tier) && isFaster(asked) ? [tier, asked!] : [tier];
  };
  const likely = asked ? [asked] : [];
  const billable = isUnreported ? likely : reported.filter((one) => one !== 'inference_geo');
  const faster = billable.filter(isFaster);
  const counted = faster.length < 2 ? billable : [faster.find((one) => one === asked) ?? faster[0]!];
  for (const tier of counted) {
    const mine = names(tier);
    const factor = mine.map((name) => table.extras[name as Tier]).find((one) => one !== undefined);
    const own = rows.filter((row) => row.tier !== undefined && mine.includes(row.tier));
    if (factor === undefined && own.length === 0) continue;
    const base = ratesOf(table, undefined);
    const isCheap =
      (factor ?? 1) <= 1 &&
      own.every((row) => {
        const rates = ratesOf(table, row);
        return rates.input <= base.input && rates.output <= base.output && rates.cached <= base.cached;
      });
    if (asked !== undefined && mine.includes(asked)) return mine;
    if (isCheap && !isUnreported) return mine;
  }
  return [];
}

/** Returns the rates of an answer with this input, and what multiplies them. */
function decide(table: PriceTable, request: Request, report: Report) {
  const tier = billedTier(table, request, report);
  const row = rowsAt(table, request).find(
    (one) =>
      (one.above_input_tokens === undefined || report.input > one.above_input_tokens) &&
      (one.tier === undefined || (one.tier === 'default' ? tier.length === 0 : tier.includes(one.tier))),
  );
  const ofTier = tier.map((name) => table.extras[name as Tier]).find((one) => one !== undefined);
  const isKnown = report.isUnreported === true || report.reported?.includes('inference_geo') === true;
  const isInRegion = isKnown && request.region !== undefined;
  const ofRegion = isInRegion ? table.extras.inference_geo : undefined;
  const by = [
    ...(ofTier !== undefined && row?.tier === undefined ? [ofTier] : []),
    ...(ofRegion !== undefined && row?.region === undefined ? [ofRegion] : []),
  ];
  return { row, by, rates: ratesOf(table, row) };
}

const MICROCREDIT = 1_000_000n;
const roundedUp = (units: bigint): number => Number((units + MICROCREDIT - 1n) / MICROCREDIT);

/** Computes the price of one answer. */
export function bill(table: PriceTable, request: Request, report: Report): Bill {
  const { row, by, rates } = decide(table, request, report);
  const rate = (units: bigint): bigint => (by.length === 0 ? units : times(units, ...by));
  const cached = Math.min(report.cached, report.input);
  let units =
    BigInt(report.input - cached) * rate(rates.input) +
    BigInt(cached) * rate(rates.cached) +
    BigInt(report.output) * rate(rates.output);
  let room = report.input - cached;
  for (const name of ['cache_write_1h', 'cache_write_30m'] as const) {
    const count = Math.min(report.written?.[name] ?? 0, room);
    const price = table.extras[name];
    room -= count;
    if (price === undefined) continue;
    const own = times(unitsOf(price), row?.factor ?? 1);
    units += BigInt(count) * (rate(own) - rate(rates.input));
  }
  return { microcredits: roundedUp(units), row: row?.name ?? 'base' };
}

/** Returns all rows that an answer of at most this size can have, and the highest price of its tokens. */
export function highest(
  table: PriceTable,
  request: Request,
  { input, output }: { input: number; output: number },
): { microcredits: number; rows: ReadonlySet<string> } {
  const reports: Pick<Report, 'reported' | 'isUnreported'>[] = [
    {},
    ...tiers.map((tier) => ({ reported: [tier] })),
    ...(request.asked ? [{ reported: [], isUnreported: true }] : []),
  ];
  const edges = table.conditions.flatMap(({ above_input_tokens: above }) =>
    above === undefined ? [] : [above, above + 1],
  );
  const sizes = [0, input, ...edges].filter((size) => size <= input);
  const rows = new Set<string>();
  let most = 0;
  for (const report of reports)
    for (const size of sizes) {
      const { row, by, rates } = decide(table, request, { input: size, cached: 0, output, ...report });
      const up = (units: bigint): bigint => {
        const exact = by.reduce((product, one) => product * BigInt(Math.round(one * 100)), units);
        const denominator = 100n ** BigInt(by.length);
        return (exact + denominator - 1n) / denominator;
      };
      const higher = up(rates.cached) > up(rates.input) ? up(rates.cached) : up(rates.input);
      most = Math.max(most, roundedUp(BigInt(input) * higher + BigInt(output) * up(rates.output)));
      rows.add(row?.name ?? 'base');
    }
  return { microcredits: most, rows };
}

/** Reports whether a tier that a request asks for has a price. If not, the request is sent without it. */
export const hasPrice = (table: PriceTable, request: Request, tier: Tier): boolean =>
  table.extras[tier] !== undefined ||
  table.conditions.some((row) => row.tier === tier && isOpen(row, request.at));
