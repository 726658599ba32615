import { expect, test } from 'bun:test';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import { addUsage, type Usage } from '../../translation/canonical/usage.ts';
import type { UsageDetail } from '../../translation/canonical/usage-detail.ts';
import { type ExtraPrices, extraRatesOf } from './extra-rates.ts';
import { priceUsage } from './price-usage.ts';
import { ratesOf } from './rates.ts';

/** A micro-credit is a millionth of a credit, and USD 1 is 500 credits. */
const USD = 500_000_000;
const rates = ratesOf({ input: 1, output: 4, cachedInput: 0.1 });
const other = {
  id: 'big',
  rates: ratesOf({ input: 10, output: 40, cachedInput: 1 }),
  extras: { factors: { fast: 6 } },
};

type Case = { extras?: ExtraPrices; asked?: PriceName[]; certain?: { web_search?: number } };

const priced = (detail: UsageDetail | undefined, { extras = {}, asked = [], certain = {} }: Case = {}) =>
  priceUsage(
    {
      input: { uncached: 1_000, cacheRead: 500, cacheWrite: 400 },
      output: { visible: 100 },
      detail,
    } as Usage,
    {
      rates,
      asked,
      certain,
      extras: extraRatesOf(extras),
      otherModel: (name) => (name === 'upstream-big' ? other : undefined),
    },
  );
const usdOf = (...args: Parameters<typeof priced>): number => priced(...args).costMicrocredits / USD;
const PLAIN = (1_400 * 1 + 500 * 0.1 + 100 * 4) / 1e6;

test('a usage without a detail costs its tokens', () => {
  expect(usdOf(undefined)).toBeCloseTo(PLAIN, 12);
  expect(priced(undefined)).toMatchObject({ detail: undefined, unpriced: [] });
});

test('a compaction is billed at the three rates, in addition to the answer', () => {
  const counts = { input: 9_000, cachedInput: 100, output: 700 };
  const compaction = { kind: 'compaction', isIncluded: false, ...counts } as const;
  const { tokens, unpriced, detail } = priced({ separate: [compaction] });
  expect(usdOf({ separate: [compaction] })).toBeCloseTo(PLAIN + (9_000 + 100 * 0.1 + 700 * 4) / 1e6, 12);
  expect(tokens).toMatchObject({ input: 11_000, cachedInput: 600, output: 800 });
  expect(unpriced).toEqual([]);
  expect(detail!.lines.map(({ dimension, of, count }) => [dimension, of, count])).toEqual([
    ['compaction', 'input', 9_000],
    ['compaction', 'cachedInput', 100],
    ['compaction', 'output', 700],
  ]);
});

test("tokens of another model are billed at that model's rates, if it has any", () => {
  const advisor = { kind: 'advisor', isIncluded: false, input: 200, cachedInput: 0, output: 50 } as const;
  const known = { separate: [{ ...advisor, model: 'upstream-big' }] };
  expect(usdOf(known)).toBeCloseTo(PLAIN + (200 * 10 + 50 * 40) / 1e6, 12);
  const unknown = { separate: [{ ...advisor, model: 'upstream-new' }] };
  expect(usdOf(unknown)).toBeCloseTo(PLAIN + (200 * 1 + 50 * 4) / 1e6, 12);
});

test('a fallback is billed at its own factor, unlike an advisor', () => {
  const counts = { isIncluded: false, input: 200, cachedInput: 0, output: 50, model: 'upstream-big' };
  const factored = (kind: 'fallback' | 'advisor', asked: PriceName[]) =>
    usdOf({ factors: ['fast'], separate: [{ kind, ...counts }] }, { extras: { fast: 2 }, asked });
  const separate = (200 * 10 + 50 * 40) / 1e6;
  expect(factored('fallback', ['fast'])).toBeCloseTo(PLAIN * 2 + separate * 6, 12);
  expect(factored('advisor', ['fast'])).toBeCloseTo(PLAIN * 2 + separate, 12);
  expect(factored('fallback', [])).toBeCloseTo(PLAIN + separate, 12);
});

test("a fallback's tokens are not billed twice where the answer's counts include them", () => {
  const counts = { input: 1_400, cachedInput: 500, output: 100 };
  const fallback = { kind: 'fallback', model: 'upstream-big', isIncluded: true, ...counts } as const;
  expect(usdOf({ separate: [fallback] })).toBeCloseTo(PLAIN * 10, 12);
  expect(priced({ separate: [fallback] }).tokens).toMatchObject({ input: 1_900, output: 100 });
});

test('cache writes without a reported lifetime have the default one', () => {
  const extras = { cache_write_5m: 1.25, cache_write_1h: 2 };
  expect(usdOf(undefined, { extras })).toBeCloseTo(PLAIN + (400 * 0.25) / 1e6, 12);
  expect(usdOf({ counts: { cache_write_1h: 300 } }, { extras })).toBeCloseTo(
    PLAIN + (100 * 0.25 + 300 * 1) / 1e6,
    12,
  );
});

test('cache writes without a reported lifetime have that of 30 minutes at a vendor that has no shorter one', () => {
  const extras = { cache_write_30m: 1.25, cache_write_12h: 2 };
  expect(usdOf(undefined, { extras })).toBeCloseTo(PLAIN + (400 * 0.25) / 1e6, 12);
  expect(usdOf({ counts: { cache_write_12h: 300 } }, { extras })).toBeCloseTo(
    PLAIN + (100 * 0.25 + 300 * 1) / 1e6,
    12,
  );
});

test('cache writes cost their own price or the input price', () => {
  const detail = { counts: { cache_write_5m: 100, cache_write_1h: 300 } };
  expect(usdOf(detail)).toBeCloseTo(PLAIN, 12);
  expect(priced(detail).unpriced).toEqual([]);
  expect(usdOf(detail, { extras: { cache_write_1h: 2 } })).toBeCloseTo(PLAIN + (300 * 1) / 1e6, 12);
});

test('no part is larger than the total that includes it', () => {
  const { detail } = priced({ counts: { cache_write_1h: 9_000, audio_output: 9_000, audio_input: 9_000 } });
  expect(detail!.lines.map(({ dimension, count }) => [dimension, count])).toEqual([
    ['cache_write_1h', 400],
    ['audio_input', 1_000],
    ['audio_output', 100],
  ]);
});

test('calls cost a thousandth of their price each, or are reported if there is none', () => {
  const detail = { counts: { web_search: 3 } };
  expect(usdOf(detail, { extras: { web_search: 10 } })).toBeCloseTo(PLAIN + 0.03, 12);
  expect(usdOf(detail)).toBeCloseTo(PLAIN, 12);
  expect(priced(detail).unpriced).toEqual(['web_search']);
  expect(usdOf(undefined, { extras: { web_search: 10 }, certain: { web_search: 1 } })).toBeCloseTo(
    PLAIN + 0.01,
    12,
  );
});

test('a more expensive way to be served is charged only to a request that asked for it', () => {
  const fast = { factors: ['fast'] } as const;
  const extras = { fast: 6, flex: 0.5 };
  expect(usdOf(fast, { extras, asked: ['fast'] })).toBeCloseTo(PLAIN * 6, 12);
  expect(priced(fast, { extras, asked: ['fast'] }).rates.input).toBe(rates.input * 6);
  expect(usdOf(fast, { extras })).toBeCloseTo(PLAIN, 12);
  expect(priced(fast, { extras }).unpriced).toEqual(['fast']);
  expect(usdOf({ factors: ['flex'] }, { extras })).toBeCloseTo(PLAIN / 2, 12);
  // The upstream served it in the usual way.
  expect(usdOf(undefined, { extras, asked: ['fast'] })).toBeCloseTo(PLAIN, 12);
});

test('a vendor that answers with the other name of the faster tier is paid at the price of either', () => {
  const fast = { factors: ['fast'] } as const;
  expect(usdOf(fast, { extras: { priority: 2 }, asked: ['priority'] })).toBeCloseTo(PLAIN * 2, 12);
  expect(usdOf(fast, { extras: { fast: 6, priority: 2 }, asked: ['priority'] })).toBeCloseTo(PLAIN * 6, 12);
  expect(usdOf({ factors: ['flex'] }, { extras: { flex: 2 }, asked: ['priority'] })).toBeCloseTo(PLAIN, 12);
});

test('factors multiply token prices of every kind and no price of calls', () => {
  const detail = {
    counts: { cache_write_1h: 400, web_search: 1 },
    factors: ['fast', 'inference_geo'],
  } as const;
  const extras = { fast: 2, inference_geo: 1.1, cache_write_1h: 2, web_search: 10 };
  const cost = usdOf(detail, { extras, asked: ['fast', 'inference_geo'] });
  expect(cost).toBeCloseTo((PLAIN + 400e-6) * 2.2 + 0.01, 12);
});

test('tokens without a price of their own are reported and billed by the total', () => {
  const detail = { counts: { audio_input: 600 }, others: ['tool_usage'] };
  expect(usdOf(detail)).toBeCloseTo(PLAIN, 12);
  expect(priced(detail).unpriced).toEqual(['tool_usage', 'audio_input']);
  expect(usdOf(detail, { extras: { audio_input: 32 } })).toBeCloseTo(PLAIN + (600 * 31) / 1e6, 12);
});

test('a tier that the account did not ask for is not more expensive for the work of a different model [CRD-54]', () => {
  const flex = { name: 'flex', aboveInput: null, tier: 'flex', isRegional: false, factor: 1 } as const;
  const dear = {
    ...other.rates,
    rows: [{ ...flex, rates: ratesOf({ input: 20, output: 80, cachedInput: 2 }) }],
  };
  const advisor = { kind: 'advisor', model: 'upstream-big', isIncluded: false, cachedInput: 0 } as const;
  const costOf = (asked: PriceName[]) =>
    priceUsage(
      {
        input: { uncached: 10 },
        output: { visible: 0 },
        detail: { factors: ['flex'], separate: [{ ...advisor, input: 100, output: 10 }] },
      },
      {
        rates,
        asked,
        certain: {},
        extras: extraRatesOf({ flex: 0.5 }),
        otherModel: () => ({ id: 'big', rates: dear, extras: { factors: {} } }),
      },
    ).costMicrocredits / USD;
  expect(costOf([])).toBeCloseTo((10 * 0.5 + 100 * 10 + 10 * 40) / 1e6, 12);
  expect(costOf(['flex'])).toBeCloseTo((10 * 0.5 + 100 * 20 + 10 * 80) / 1e6, 12);
});

test('a tier that is reported by both of its names is billed once', () => {
  const both = { extras: { fast: 2, priority: 3 }, asked: ['fast'] as PriceName[] };
  expect(usdOf({ factors: ['fast', 'priority'] }, both)).toBeCloseTo(2 * PLAIN, 12);
  expect(usdOf({ factors: ['priority', 'fast'] }, both)).toBeCloseTo(2 * PLAIN, 12);
});

test('the largest of several answers decides the row, not their sum [CRD-54]', () => {
  const long = { name: 'long', aboveInput: 100, tier: null, isRegional: false, factor: 1 } as const;
  const rows = [{ ...long, rates: ratesOf({ input: 2, output: 8, cachedInput: 0.2 }) }];
  const answer = (input: number): Usage => ({ input: { uncached: input }, output: { visible: 1 } });
  const rowOf = (...inputs: number[]) =>
    priceUsage(inputs.map(answer).reduce(addUsage), {
      rates: { ...rates, rows },
      asked: [],
      certain: {},
      extras: extraRatesOf({}),
      otherModel: () => undefined,
    }).priceRow;
  expect(rowOf(90, 90, 90)).toBeUndefined();
  expect(rowOf(90, 101)).toBe('long');
});
