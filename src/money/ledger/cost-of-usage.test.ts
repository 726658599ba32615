import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { chargedTokens, costOfTokens } from './cost-of-usage.ts';
import { creditsOf, microcreditsOfUsd } from './microcredits.ts';
import { type ListedPrices, ratesOf } from './rates.ts';

const MILLION = 1_000_000;
const prices: ListedPrices = { input: 1, output: 4, cachedInput: 0.1 };

const cost = (tokens: Partial<Parameters<typeof costOfTokens>[0]>, listed = prices): number =>
  costOfTokens({ input: 0, cachedInput: 0, output: 0, ...tokens }, ratesOf(listed));

test('one dollar is 500 credits for tokens as for purchases [CRD-02]', () => {
  expect(creditsOf(cost({ input: MILLION }))).toBe(500);
  expect(creditsOf(cost({ output: MILLION }))).toBe(2_000);
  expect(creditsOf(microcreditsOfUsd(5))).toBe(2_500);
});

test('the sum over the classes of tokens is rounded up once [CRD-01] [CRD-03]', () => {
  expect(cost({ input: 1_007, cachedInput: 1_000, output: 3 })).toBe(7 * 500 + 1_000 * 50 + 3 * 2_000);
  const odd = { input: 0.0009, output: 0.0009, cachedInput: 0.0009 }; // 0.45 micro-credits a token
  expect(cost({ input: 1 }, odd)).toBe(1);
  expect(cost({ input: 2, cachedInput: 1, output: 2 }, odd)).toBe(2);
});

test('cached input without a rate of its own costs as much as other input [CRD-05]', () => {
  expect(cost({ input: 100, cachedInput: 100 }, { ...prices, cachedInput: null })).toBe(cost({ input: 100 }));
});

test('only cache reads are cheaper, while hidden reasoning is priced as output [CRD-04] [CRD-06]', () => {
  const usage = { input: { uncached: 5, cacheRead: 3, cacheWrite: 2 }, output: { visible: 4, thinking: 6 } };
  expect(chargedTokens(usage)).toEqual({
    input: 10,
    cachedInput: 3,
    cacheWriteInput: 2,
    output: 10,
    reasoning: 6,
  });
});

test('invalid counts are not charged', () => {
  const tokens = (uncached: number) => chargedTokens({ input: { uncached }, output: { visible: 0 } }).input;
  expect([-5, Number.NaN, 1e300, 1.2].map(tokens)).toEqual([0, 0, 100_000_000, 2]);
});

test('the cost is exact for all counts and rates', () => {
  const price = fc.integer({ min: 0, max: 10_000_000 }).map((thousandths) => thousandths / 1_000);
  const count = fc.nat({ max: 10_000_000 });
  fc.assert(
    fc.property(price, price, count, count, (input, output, read, written) => {
      const exact =
        BigInt(Math.round(input * 1_000)) * BigInt(read) +
        BigInt(Math.round(output * 1_000)) * BigInt(written);
      // A thousandth of a dollar per million tokens is half a micro-credit a token.
      expect(BigInt(cost({ input: read, output: written }, { input, output, cachedInput: null }))).toBe(
        (exact + 1n) / 2n,
      );
    }),
    { seed: 20_261_121 },
  );
});
