import { expect, test } from 'bun:test';
import { extrasAt } from './extras-at.ts';

const model = {
  extrasUsd: { web_search: 10, cache_write_1h: 2, audio_output: 64, fast: 6 },
  pricing: { input: 1, output: 4, cachedInput: 0.1 },
  nativeBatchPricing: { input: 0.5, output: 1, cachedInput: 0.05 },
};
const listed = { units: { web_search: 5_000_000_000_000, cache_write_1h: 1e9, audio_output: 32e9 } };

test("a provider's own batch lowers the prices of tokens only", () => {
  const { units, factors } = extrasAt(model, { mode: 'subscription', isNative: true });
  expect(units).toEqual({ ...listed.units, cache_write_1h: 0.5e9, audio_output: 8e9 });
  expect(factors).toEqual({ fast: 6 });
});

test('a live request, purchased credit and a model without batch prices have the listed prices', () => {
  const { nativeBatchPricing: _, ...own } = model;
  for (const extras of [
    extrasAt(model, { mode: 'subscription' }),
    extrasAt(model, { mode: 'payg', isNative: true }),
    extrasAt({ ...own, nativeBatchPricing: null }, { mode: 'subscription', isNative: true }),
  ])
    expect(extras).toEqual({ ...listed, factors: { fast: 6 } });
});

test('a model whose listed input is free keeps its other prices', () => {
  const free = { ...model, pricing: { input: 0, output: 4, cachedInput: null } };
  const { units } = extrasAt(free, { mode: 'subscription', isNative: true });
  expect(units.cache_write_1h).toBe(1e9);
});
