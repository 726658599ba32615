import fc from 'fast-check';
import type { PriceConditionRow } from '../../../src/settings/config/price-schema.ts';
import { type PriceTable, type Report, type Request, type Tier, tiers } from './price-rules.ts';

/** Random tables of prices, and requests at, before and after the edges of their rows. */

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const ROW_TIERS = ['default', ...tiers] as const;
const MAX_TOKENS = 150;
const HALF_HOUR_MS = 1_800_000;

const usd = (most: number) => fc.integer({ min: 0, max: most * 10_000 }).map((count) => count / 10_000);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const time = fc.constantFrom('00:00', '01:00', '04:30', '12:00', '23:00', '23:59');

type Span = { start: number; days: number };

const dateIn = ({ start, days }: Span) =>
  fc
    .tuple(fc.nat({ max: days * 48 }), fc.boolean())
    .map(([half, isDate]) => new Date(start + half * HALF_HOUR_MS).toISOString().slice(0, isDate ? 10 : 24));

const conditionIn = (span: Span): fc.Arbitrary<PriceConditionRow> =>
  fc
    .record({
      above_input_tokens: maybe(fc.constantFrom(0, 50, 100)),
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
      dates: fc.tuple(maybe(dateIn(span)), maybe(dateIn(span))),
      tier: maybe(fc.constantFrom(...ROW_TIERS)),
      region: maybe(fc.constantFrom('eu', 'us')),
      factor: fc.constantFrom(0.5, 1, 1.25, 2, 5),
      input: maybe(usd(90)),
      output: maybe(usd(90)),
      cached_input: maybe(fc.option(usd(90))),
    })
    .map(({ dates: [from, until], ...row }) => {
      const isOrdered = from === undefined || until === undefined || Date.parse(from) < Date.parse(until);
      const all = { name: 'named below', ...row, from, until: isOrdered ? until : undefined };
      return Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as unknown as PriceConditionRow;
    });

export const tablesIn = (span: Span): fc.Arbitrary<PriceTable> =>
  fc.record({
    base: fc.record({ input: usd(90), output: usd(90), cached_input: fc.option(usd(90)) }),
    conditions: fc
      .array(conditionIn(span), { maxLength: 6 })
      .map((rows) => rows.map((row, index) => ({ ...row, name: `row-${index}` }))),
    extras: fc
      .record({
        flex: maybe(fc.constant(0.5)),
        priority: maybe(fc.constant(2)),
        fast: maybe(fc.constant(1.5)),
        ultrafast: maybe(fc.constant(4)),
        inference_geo: maybe(fc.constant(1.1)),
        cache_write_30m: maybe(usd(90)),
        cache_write_1h: maybe(usd(90)),
      })
      .map(
        (extras) =>
          Object.fromEntries(
            Object.entries(extras).filter(([, price]) => price !== undefined),
          ) as typeof extras,
      ) as fc.Arbitrary<PriceTable['extras']>,
  });

const tier = fc.constantFrom<Tier>(...tiers);

export const timesIn = ({ start, days }: Span): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: start, max: start + days * 86_400_000 }),
    fc
      .tuple(fc.nat({ max: days * 48 }), fc.constantFrom(-1, 0, 1))
      .map(([half, ms]) => start + half * HALF_HOUR_MS + ms),
  );

export const requestsIn = (span: Span): fc.Arbitrary<Request> =>
  fc.record({
    at: timesIn(span),
    asked: maybe(tier),
    region: maybe(fc.constantFrom('eu', 'us', 'apac')),
  });

const count = fc.nat({ max: MAX_TOKENS });

export const reports: fc.Arbitrary<Report> = fc.record({
  input: count,
  cached: count,
  output: count,
  written: fc.record({ cache_write_30m: count, cache_write_1h: count }),
  // An answer has one tier, which an upstream can report by both of its names.
  reported: fc
    .tuple(
      fc.constantFrom<readonly Tier[]>([], ...tiers.map((one) => [one]), ['fast', 'priority']),
      fc.boolean(),
    )
    .map(([reported, isInRegion]) => [...reported, ...(isInRegion ? (['inference_geo'] as const) : [])]),
  isUnreported: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
});
