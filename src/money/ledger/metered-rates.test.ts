import { expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { costOfUnits } from './cost-of-usage.ts';
import { meteredRange } from './metered-range.ts';
import { meteredLines, meteredRatesOf, usdOfUnitRate } from './metered-rates.ts';

const NONE = {
  perImage: [],
  perSecond: null,
  perMillionCharacters: null,
  per1000Documents: null,
  perRequest: 0,
};
const MICROCREDITS_PER_USD = 500_000_000;

const costOf = (lines: ReturnType<typeof meteredLines>): number =>
  costOfUnits(lines.reduce((sum, { count, rate }) => sum + BigInt(count) * BigInt(rate), 0n));

test('prices are exact in micro-credits, rounded up once', () => {
  const rates = meteredRatesOf({ ...NONE, perMillionCharacters: 15, perRequest: 0.000_000_001 });
  expect(costOf(meteredLines({ counts: { character: 1_000_000 } }, rates))).toBe(
    15 * MICROCREDITS_PER_USD + 1,
  );
  const perDocument = meteredRatesOf({ ...NONE, per1000Documents: 2 });
  expect(costOf(meteredLines({ counts: { document: 3 } }, perDocument))).toBe(0.006 * MICROCREDITS_PER_USD);
  expect(
    meteredLines({ counts: { document: 3 } }, perDocument).map(({ rate }) => usdOfUnitRate(rate)),
  ).toEqual([0.002]);
});

test('a price of characters replaces that of seconds', () => {
  const counts = { character: 10, second: 2 };
  const both = meteredRatesOf({ ...NONE, perMillionCharacters: 15, perSecond: 1 });
  expect(costOf(meteredLines({ counts }, both))).toBe(0.00015 * MICROCREDITS_PER_USD);
  expect(costOf(meteredLines({ counts }, meteredRatesOf({ ...NONE, perSecond: 1 })))).toBe(
    2 * MICROCREDITS_PER_USD,
  );
});

test('the range of a request covers every form that the answer can have', () => {
  const random = seededRandom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const sizes = ['1x1', '2x2', '3x3'];
  const qualities = ['low', 'high'];
  for (let round = 0; round < 500; round++) {
    const rows = Array.from({ length: Math.floor(random() * 5) }, () => ({
      size: pick([null, ...sizes]),
      quality: pick([null, ...qualities]),
      usd: Math.floor(random() * 100) / 100,
    }));
    const rates = meteredRatesOf({ ...NONE, perImage: [...rows, { size: null, quality: null, usd: 0.5 }] });
    const asked = { size: pick([undefined, ...sizes]), quality: pick([undefined, ...qualities]) };
    const counts = { image: 2 };
    const { least, most } = meteredRange({ counts, image: asked }, rates);
    for (const size of asked.size ? [asked.size] : [undefined, ...sizes])
      for (const quality of asked.quality ? [asked.quality] : [undefined, ...qualities]) {
        const rate = meteredLines({ counts, image: { size, quality } }, rates)[0]!.rate;
        expect(BigInt(2 * rate)).toBeGreaterThanOrEqual(least);
        expect(BigInt(2 * rate)).toBeLessThanOrEqual(most);
      }
  }
});
