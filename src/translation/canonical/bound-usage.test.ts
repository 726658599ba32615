import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { boundUsage, type UsageBounds } from './bound-usage.ts';
import { inputTotal, outputTotal, type Usage } from './usage.ts';

const bounds: UsageBounds = { input: 1_000, output: 300, visible: 100 };
const HUGE = 100_000_000;
const usage = (input: Usage['input'], output: Usage['output']): Usage => ({ input, output });

test('a report within the bounds stays the same object [CRD-43]', () => {
  const reported = usage({ uncached: 200, cacheRead: 700, cacheWrite: 100 }, { visible: 100, thinking: 200 });
  expect(boundUsage(reported, bounds)).toBe(reported);
});

describe('a report beyond the bounds is cut to them and marked as estimated [CRD-43]', () => {
  const plain = { uncached: 10 };
  const cases: [string, Usage, Usage][] = [
    ['input', usage({ uncached: HUGE }, { visible: 5 }), usage({ uncached: 1_000 }, { visible: 5 })],
    [
      'cached input',
      usage({ uncached: 10, cacheRead: HUGE, cacheWrite: 4 }, { visible: 5 }),
      usage({ uncached: 0, cacheRead: 1_000, cacheWrite: 0 }, { visible: 5 }),
    ],
    [
      'input next to an honest cache',
      usage({ uncached: HUGE, cacheRead: 600 }, { visible: 5 }),
      usage({ uncached: 400, cacheRead: 600 }, { visible: 5 }),
    ],
    ['output', usage(plain, { visible: HUGE }), usage(plain, { visible: 100 })],
    ['thinking', usage(plain, { visible: 50, thinking: HUGE }), usage(plain, { visible: 50, thinking: 250 })],
  ];
  test.each(cases)('%s', (_, reported, billed) => {
    expect(boundUsage(reported, bounds)).toEqual({ ...billed, isEstimated: true });
  });
});

describe('for a model whose answers are bounded only by its window', () => {
  const window = { input: 1_000, output: 1_000, visible: 1_000, together: 1_000 };

  test('the answer gets the room that the prompt leaves', () => {
    expect(boundUsage(usage({ uncached: 900 }, { visible: 200 }), window)).toEqual({
      ...usage({ uncached: 900 }, { visible: 100 }),
      isEstimated: true,
    });
  });

  test('an impossible prompt takes no room from the answer', () => {
    expect(boundUsage(usage({ uncached: HUGE }, { visible: 200 }), window).output.visible).toBe(200);
  });
});

test('bills nothing beyond the bounds or the report, whatever is reported', () => {
  const count = fc.nat({ max: 3_000 });
  const maybe = fc.option(count, { nil: undefined });
  const reports = fc.record({
    input: fc.record({ uncached: count, cacheRead: maybe, cacheWrite: maybe }),
    output: fc.record({ visible: count, thinking: maybe }),
  });
  const limits = fc.record({ input: count, output: count, visible: count, together: maybe });
  fc.assert(
    fc.property(reports, limits, (reported, most) => {
      const billed = boundUsage(reported, most);
      expect(inputTotal(billed)).toBe(Math.min(inputTotal(reported), most.input));
      expect(outputTotal(billed)).toBeWithin(0, Math.min(outputTotal(reported), most.output) + 1);
      expect(billed.isEstimated === true).toBe(billed !== reported);
      expect(boundUsage(billed, most)).toBe(billed);
      for (const part of [billed.input.uncached, billed.output.visible])
        expect(part).toBeGreaterThanOrEqual(0);
    }),
  );
});
