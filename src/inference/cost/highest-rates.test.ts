import { expect, test } from 'bun:test';
import { ratesOf } from '../../money/ledger/rates.ts';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import { extrasAt } from './extras-at.ts';
import { highestRates } from './highest-rates.ts';

const pricing = { input: 1, output: 4, cachedInput: 0.1 };
const rates = ratesOf(pricing);
const extrasUsd = {
  web_search: 10,
  cache_write_1h: 2,
  audio_input: 32,
  audio_output: 64,
  fast: 6,
  flex: 0.5,
};

const highest = (value: Record<string, unknown>, priced: PriceName[] = [], prices = extrasUsd) =>
  highestRates({
    rates,
    extras: extrasAt({ pricing, nativeBatchPricing: null, extrasUsd: prices }, { mode: 'subscription' }),
    body: { value },
    asked: { priced, certain: {} },
  });

test('a model without such prices keeps its rates', () => {
  expect(highest({}, [], {} as typeof extrasUsd)).toBe(rates);
});

test('tokens can have the highest rate that the request asked for', () => {
  expect(highest({})).toEqual(rates);
  expect(highest({}, ['cache_write_1h'])).toMatchObject({ input: rates.input * 2, output: rates.output });
  expect(highest({}, ['fast', 'cache_write_1h'])).toMatchObject({
    input: rates.input * 12,
    output: rates.output * 6,
  });
  expect(highest({}, ['flex'])).toEqual(rates);
  expect(highest({}, ['audio_output']).output).toBe(rates.output * 16);
  expect(highest({ messages: [{ content: [{ type: 'input_audio' }] }] }).input).toBe(rates.input * 32);
});
