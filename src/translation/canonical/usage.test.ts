import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { chargedTokens, costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import { ratesOf } from '../../money/ledger/rates.ts';
import { inputTotal, laterUsage, outputTotal, type Usage, usageOfTotals } from './usage.ts';

const count = fc.nat({ max: 1_000_000 });
const maybe = fc.option(count, { nil: undefined });
/** A vendor's report, whose parts can exceed their totals. */
const report: fc.Arbitrary<Usage> = fc
  .record({ input: count, cacheRead: maybe, cacheWrite: maybe, output: count, thinking: maybe })
  .map(usageOfTotals);
const reports = fc.array(report, { minLength: 1, maxLength: 6 });
const merge = (all: readonly Usage[]): Usage => all.reduce<Usage | undefined>(laterUsage, undefined)!;
const largest = (all: readonly Usage[], of: (usage: Usage) => number) => Math.max(...all.map(of));
const read = ({ input }: Usage) => input.cacheRead ?? 0;
const thought = ({ output }: Usage) => output.thinking ?? 0;

test('parts add up to their total [CRD-43]', () => {
  fc.assert(
    fc.property(report, (usage) => {
      for (const part of Object.values({ ...usage.input, ...usage.output }))
        expect(part ?? 0).toBeGreaterThanOrEqual(0);
      expect(read(usage)).toBeLessThanOrEqual(inputTotal(usage));
      expect(thought(usage)).toBeLessThanOrEqual(outputTotal(usage));
    }),
  );
});

describe('cumulative reports of one answer [CRD-43]', () => {
  test('merge to the largest of each total, of the cache reads and of the thinking', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const merged = merge(all);
        for (const of of [inputTotal, outputTotal, read, thought]) expect(of(merged)).toBe(largest(all, of));
      }),
    );
  });

  test('take their cache fields from one report, up to the input', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const { input } = merge(all);
        const { cacheRead, cacheWrite } = input;
        expect(all.map((one) => [one.input.cacheRead, one.input.cacheWrite])).toContainEqual([
          cacheRead,
          cacheWrite,
        ]);
        expect(input.uncached).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('merge to the same result in any order and with any repetition', () => {
    const orders = reports.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })),
    );
    fc.assert(fc.property(orders, ([all, again]) => expect(merge(again)).toEqual(merge(all))));
  });

  test('merge to the same result step by step and all at once', () => {
    fc.assert(
      fc.property(reports, reports, (some, others) =>
        expect(laterUsage(merge(some), merge(others))).toEqual(merge([...some, ...others])),
      ),
    );
  });

  test('cost as much as the last one if they only grow', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const growing = all.map((_, index) => merge(all.slice(0, index + 1)));
        expect(merge(growing)).toEqual(growing.at(-1)!);
      }),
    );
  });

  test('cost no more input than the most expensive one', () => {
    const rates = ratesOf({ input: 1, output: 0, cachedInput: 0.1 });
    const cost = (usage: Usage) => costOfTokens(chargedTokens(usage), rates);
    fc.assert(
      fc.property(reports, (all) => expect(cost(merge(all))).toBeLessThanOrEqual(largest(all, cost))),
    );
  });

  test('are an estimate if one of them is', () => {
    const one = usageOfTotals({ input: 1, output: 1 });
    expect(laterUsage(one, { ...one, isEstimated: true }).isEstimated).toBe(true);
    expect(laterUsage(one, one).isEstimated).toBeUndefined();
  });
});
