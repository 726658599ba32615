import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { rateRowsOf, rowFor } from '../../money/ledger/rate-row.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import type { TrafficCounts } from '../../watch/traffic/traffic-figures.ts';
import type { TrafficStore } from '../../watch/traffic/traffic-store.ts';

/** A rate is for a million tokens, so tokens times a rate are millionths of a microcredit. */
const UNITS_PER_MICROCREDIT = 1_000_000;

export type YesterdaysCost = { requests: number; beforeMicrocredits: number; afterMicrocredits: number };

export type YesterdaysQuestion = {
  model: string;
  /** The prices before and after. `null` means that there is no such model. */
  before: Pricing | null;
  after: Pricing | null;
  now: number;
};

/**
 * Computes what the requests of yesterday (UTC) that a model answered would have cost at other prices. Sums
 * are known by the hour, so conditions of prices are applied to the average request of each hour.
 */
export async function yesterdaysCost(
  question: YesterdaysQuestion,
  traffic: Pick<TrafficStore, 'readTraffic'>,
): Promise<YesterdaysCost> {
  const from = (Math.floor(question.now / DAY_MS) - 1) * 24;
  const sums = await traffic.readTraffic({
    step: 'hour',
    cut: 'whole',
    from,
    to: from + 24,
    every: 1,
    groupBy: 'status',
    where: { model: question.model },
  });
  const costs = sums.map(({ interval, counts }) =>
    costOfHour({ ...counts, at: (from + interval) * HOUR_MS }, question),
  );
  const answered = sums.filter(({ group }) => group === '2xx');
  return {
    requests: sumOf(answered.map(({ counts }) => counts.requests)),
    beforeMicrocredits: sumOf(costs.map(({ before }) => before)),
    afterMicrocredits: sumOf(costs.map(({ after }) => after)),
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

type HourCounts = TrafficCounts & { at: number };

/** Returns what the requests of an hour cost, and what they would have cost. */
function costOfHour(hour: HourCounts, { before, after }: YesterdaysQuestion) {
  const unitsBefore = before ? unitsOf(hour, before) : 0;
  const unitsAfter = after ? unitsOf(hour, after) : 0;
  // The ratio keeps other parts of the charges, such as the roundings of single requests.
  const microcredits =
    unitsBefore > 0 ? hour.revenue * (unitsAfter / unitsBefore) : unitsAfter / UNITS_PER_MICROCREDIT;
  return { before: hour.revenue, after: Math.round(microcredits) };
}

/** Returns the price of the average request of an hour, times the number of requests. */
function unitsOf(hour: HourCounts, pricing: Pricing): number {
  const { rows = [], ...base } = rateRowsOf(pricing, { at: hour.at, region: undefined });
  const average = hour.requests === 0 ? 0 : hour.input_tokens / hour.requests;
  const { input: fresh, cachedInput, output } = rowFor(rows, { input: average, tiers: [] })?.rates ?? base;
  return (
    (hour.input_tokens - hour.cached_input_tokens) * fresh +
    hour.cached_input_tokens * cachedInput +
    hour.output_tokens * output
  );
}
