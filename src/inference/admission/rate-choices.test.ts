import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { extraRatesOf } from '../../money/ledger/extra-rates.ts';
import { priceUsage } from '../../money/ledger/price-usage.ts';
import { rateRowsOf } from '../../money/ledger/rate-row.ts';
import { conditionOf } from '../../settings/catalog/price-condition.ts';
import type { PriceConditionRow } from '../../settings/config/price-schema.ts';
import type { FactorPrice, PriceName } from '../../translation/canonical/price-name.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { dearestCost, rateChoices, rowsByCost } from './rate-choices.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const TIERS = ['default', 'flex', 'priority', 'fast', 'ultrafast'] as const;
const START = Date.parse('2026-11-01T00:00:00Z');
const SPAN_MS = 60 * 86_400_000;

type Price = { input: number; output: number; cached_input: number | null };
type Case = {
  base: Price;
  conditions: PriceConditionRow[];
  factors: Partial<Record<FactorPrice, number>>;
  at: number;
  asked: FactorPrice | undefined;
  told: FactorPrice | undefined;
  region: string | undefined;
  tokens: { input: number; cached: number; output: number };
};

const cents = (most: number) => fc.integer({ min: 0, max: most }).map((count) => count / 100);
const time = fc.constantFrom('00:00', '01:00', '04:30', '12:00', '23:00');
const date = fc.constantFrom('2026-11-07', '2026-11-23T06:00:00Z', '2026-12-01', '2026-12-24T12:30:00Z');
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const threshold = fc.constantFrom(0, 50, 100);

const condition: fc.Arbitrary<PriceConditionRow> = fc
  .record({
    above_input_tokens: maybe(threshold),
    hours: maybe(
      fc.array(
        fc.record({
          days: fc.subarray([...DAYS], { minLength: 1 }),
          from: time,
          to: fc.oneof(time, fc.constant('24:00')),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    from: maybe(date),
    until: maybe(date),
    tier: maybe(fc.constantFrom(...TIERS)),
    region: maybe(fc.constantFrom('eu', 'us')),
    input: maybe(cents(900)),
    output: maybe(cents(900)),
    cached_input: maybe(fc.option(cents(900))),
  })
  .chain((row) => fc.constantFrom(0.5, 1, 2, 5).map((factor) => ({ row, factor })))
  .map(({ row, factor }) => {
    const kept = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    return { name: 'named below', factor, ...kept } as PriceConditionRow;
  });

const tier = fc.constantFrom<FactorPrice>('flex', 'priority', 'fast', 'ultrafast');

const generated: fc.Arbitrary<Case> = fc.record({
  base: fc.record({ input: cents(900), output: cents(900), cached_input: fc.option(cents(900)) }),
  conditions: fc
    .array(condition, { maxLength: 6 })
    .map((rows) => rows.map((row, index) => ({ ...row, name: `row-${index}` }))),
  factors: fc.record({
    flex: maybe(fc.constant(0.5)),
    priority: maybe(fc.constant(2)),
    ultrafast: maybe(fc.constant(4)),
    inference_geo: maybe(fc.constant(2)),
  }) as fc.Arbitrary<Case['factors']>,
  at: fc.oneof(
    fc.integer({ min: START, max: START + SPAN_MS }),
    // At and around the edges of windows and dates.
    fc
      .tuple(fc.integer({ min: 0, max: 60 * 48 }), fc.constantFrom(-1, 0, 1))
      .map(([half, ms]) => START + half * 1_800_000 + ms),
  ),
  asked: maybe(tier),
  told: maybe(tier),
  region: maybe(fc.constantFrom('eu', 'us', 'apac')),
  tokens: fc.record({
    input: fc.integer({ min: 0, max: 150 }),
    cached: fc.integer({ min: 0, max: 150 }),
    output: fc.integer({ min: 0, max: 150 }),
  }),
});

/** What the documented rules say about the time of a row, written without the code under test. */
function isOpen({ hours, from, until }: PriceConditionRow, at: number): boolean {
  if (from !== undefined && at < new Date(from).getTime()) return false;
  if (until !== undefined && at >= new Date(until).getTime()) return false;
  if (hours === undefined) return true;
  return hours.some(({ days, from: begin, to }) =>
    [0, 1].some((daysAgo) => {
      const midnight = new Date(at);
      midnight.setUTCHours(0, 0, 0, 0);
      midnight.setUTCDate(midnight.getUTCDate() - daysAgo);
      if (!days.includes(DAYS[midnight.getUTCDay()]!)) return false;
      const [h, m] = begin.split(':').map(Number);
      const [endH, endM] = to.split(':').map(Number);
      const starts = midnight.getTime() + (h! * 60 + m!) * 60_000;
      const length = (endH! - h!) * 60 + (endM! - m!);
      const ends = starts + (length <= 0 ? length + 1_440 : length) * 60_000;
      return at >= starts && at < ends;
    }),
  );
}

const sameTier = (one: string, other: string): boolean =>
  one === other || (['fast', 'priority'].includes(one) && ['fast', 'priority'].includes(other));

/** The bill by the documented rules: micro-credits and the name of the row. */
function evaluate({ base, conditions, factors, at, asked, told, region, tokens }: Case): [number, string] {
  const priced = (row: PriceConditionRow) => ({
    input: row.input ?? base.input * row.factor,
    output: row.output ?? base.output * row.factor,
    cached:
      row.cached_input === undefined
        ? base.cached_input === null
          ? undefined
          : base.cached_input * row.factor
        : (row.cached_input ?? undefined),
  });
  const own = { input: base.input, output: base.output, cached: base.cached_input ?? base.input };
  const open = conditions.filter(
    (row) => isOpen(row, at) && (row.region === undefined || row.region === region),
  );
  const wanted = told !== undefined && asked !== undefined && sameTier(asked, told) ? asked : undefined;
  const names = told === undefined ? [] : wanted === undefined ? [told] : [told, wanted];
  const factor = names.map((name) => factors[name]).find((one) => one !== undefined);
  const tierRows = open.filter((row) => row.tier !== undefined && (names as string[]).includes(row.tier));
  const isPriced = factor !== undefined || tierRows.length > 0;
  const isCheap =
    (factor ?? 1) <= 1 &&
    tierRows.every((row) => {
      const { input, output, cached = input } = priced(row);
      return input <= own.input && output <= own.output && cached <= own.cached;
    });
  const isBilled = told !== undefined && isPriced && (wanted !== undefined || isCheap);
  const row = open.find(
    (one) =>
      (one.above_input_tokens === undefined || tokens.input > one.above_input_tokens) &&
      (one.tier === undefined ||
        (one.tier === 'default' ? !isBilled : isBilled && (names as string[]).includes(one.tier))),
  );
  const { input, output, cached = input } = row ? priced(row) : own;
  const byTier = isBilled && row?.tier === undefined ? (factor ?? 1) : 1;
  const cachedTokens = Math.min(tokens.cached, tokens.input);
  // A dollar is 500 credits, so a price of one dollar per million tokens is 500 micro-credits a token.
  const exact =
    ((tokens.input - cachedTokens) * input + cachedTokens * cached + tokens.output * output) * byTier * 500;
  return [Math.ceil(Number(exact.toFixed(6))), row?.name ?? 'base'];
}

const askedOf = ({ asked, region }: Case): PriceName[] => [
  ...(asked ? [asked] : []),
  ...(region ? (['inference_geo'] as const) : []),
];

function priced(one: Case) {
  const { base, conditions, factors, at, region, tokens, told } = one;
  const prices = { input: base.input, output: base.output, cachedInput: base.cached_input };
  const rates = rateRowsOf(
    { ...prices, conditions: conditions.map((row) => conditionOf(row, prices)) },
    { at, region },
  );
  const extras = extraRatesOf(factors);
  const asked = askedOf(one);
  const cached = Math.min(tokens.cached, tokens.input);
  const usage = {
    input: { uncached: tokens.input - cached, cacheRead: cached },
    output: { visible: tokens.output },
    ...(told && { detail: { factors: [told] } }),
  } as Usage;
  const bill = priceUsage(usage, { rates, extras, asked, certain: {}, otherModel: () => undefined });
  const choices = rateChoices({ rates, extras, asked: { priced: asked, certain: {} }, body: { value: {} } });
  return { bill, choices };
}

test('what is held is at least what is billed, and what is billed is what the rules say [CRD-54]', () => {
  fc.assert(
    fc.property(generated, fc.nat({ max: 100 }), (one, more) => {
      const { bill, choices } = priced(one);
      expect([bill.costMicrocredits, bill.priceRow ?? 'base']).toEqual(evaluate(one));
      const { input, output } = one.tokens;
      expect(dearestCost({ input: input + more, output: output + more }, choices)).toBeGreaterThanOrEqual(
        bill.costMicrocredits,
      );
      expect(rowsByCost({ input: input + more, output }, choices)).toContain(bill.priceRow ?? 'base');
    }),
    { numRuns: 10_000 },
  );
});

test('a hold covers no row that the time, the tier or the size excludes [CRD-54]', () => {
  const prices = { input: 1, output: 2, cachedInput: null };
  const rows: PriceConditionRow[] = [
    { name: 'gone', until: '2020-01-01', factor: 100 },
    { name: 'elsewhere', region: 'eu', factor: 100 },
    { name: 'unasked', tier: 'ultrafast', factor: 100 },
    { name: 'long', above_input_tokens: 1_000, factor: 10 },
    { name: 'always', factor: 3 },
  ];
  const conditions = rows.map((row) => conditionOf(row, prices));
  const rates = rateRowsOf({ ...prices, conditions }, { at: START, region: undefined });
  const choices = rateChoices({ rates, extras: extraRatesOf({}), asked: undefined, body: { value: {} } });
  expect(rowsByCost({ input: 1_000, output: 1 }, choices)).toEqual(['always']);
  expect(dearestCost({ input: 1_000, output: 0 }, choices)).toBe(1_000 * 3 * 500);
  expect(rowsByCost({ input: 1_001, output: 1 }, choices)).toEqual(['always', 'long']);
});
