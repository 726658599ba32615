import { expect, test } from 'bun:test';
import { ratesOf } from '../../money/ledger/rates.ts';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import { worstExtras } from './worst-extras.ts';

const pricing = { input: 1, output: 4, cachedInput: 0.1 };
const rates = ratesOf(pricing);
const rating = { mode: 'subscription' } as const;
const model = { pricing, nativeBatchPricing: null };
const extrasUsd = {
  web_search: 10,
  cache_write_1h: 2,
  audio_input: 32,
  audio_output: 64,
  fast: 6,
  flex: 0.5,
};
const CENT = 5_000_000;

const worst = (value: Record<string, unknown>, priced: PriceName[] = [], certain = {}) =>
  worstExtras({
    model: { ...model, extrasUsd },
    rating,
    rates,
    body: { value },
    asked: { priced, certain },
  })!;

test('a model without such prices has no extras', () => {
  const question = {
    model: { ...model, extrasUsd: {} },
    rating,
    rates,
    body: { value: {} },
    asked: undefined,
  };
  expect(worstExtras(question)).toBeUndefined();
});

test('tokens can have the dearest rate that the request asked for', () => {
  expect(worst({}).rates).toEqual(rates);
  expect(worst({}, ['cache_write_1h']).rates).toMatchObject({ input: rates.input * 2, output: rates.output });
  expect(worst({}, ['fast', 'cache_write_1h']).rates).toMatchObject({
    ...{ input: rates.input * 12, output: rates.output * 6 },
  });
  expect(worst({}, ['flex']).rates).toEqual(rates);
  expect(worst({}, ['audio_output']).rates.output).toBe(rates.output * 16);
  expect(worst({ messages: [{ content: [{ type: 'input_audio' }] }] }).rates.input).toBe(rates.input * 32);
});

test('calls are bounded by what the request allows', () => {
  const search = (fields: object) => ({ tools: [{ type: 'web_search_20250305', ...fields }] });
  expect(worst(search({ max_uses: 3 }), ['web_search'])).toMatchObject({
    leastCalls: 0,
    mostCalls: 3 * CENT,
  });
  expect(worst(search({}), ['web_search']).mostCalls).toBe(10 * CENT);
  expect(worst({ ...search({}), max_tool_calls: 2 }, ['web_search']).mostCalls).toBe(2 * CENT);
  expect(worst(search({ max_uses: 3 })).mostCalls).toBe(0);
  expect(worst({}, ['web_search'], { web_search: 2 }).leastCalls).toBe(2 * CENT);
});

test('a compaction and an advisor read the prompt once more', () => {
  const edits = [{ type: 'compact_20260112' }, { type: 'clear_thinking_20251015' }];
  expect(worst({ context_management: { edits } }).passesBeside).toBe(1);
  expect(worst({ context_management: [{ type: 'compaction' }] }).passesBeside).toBe(1);
  expect(worst({ context_management: { edits: [edits[1]] } }).passesBeside).toBe(0);
  expect(worst({ tools: [{ type: 'advisor_20260301' }, { name: 'f' }] }).passesBeside).toBe(1);
});

test('a cap above the most counts as the most, and a tool without a cap keeps its usual number', () => {
  const search = (max_uses?: number) => ({ type: 'web_search_20250305', name: 'web_search', max_uses });
  const costOf = (...tools: object[]) => worst({ tools }, ['web_search']).mostCalls;
  expect(costOf(search(501))).toBe(costOf(search(500)));
  expect(costOf(search(1), search())).toBe(costOf(search(11)));
});

test('an advisor counts by how much dearer it is than the asked model', () => {
  const question = {
    model: { ...model, extrasUsd: {} },
    rating,
    rates,
    body: { value: { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'big' }] } },
    asked: undefined,
  };
  expect(worstExtras(question)?.passesBeside).toBe(1);
  const dearness = (name: string | undefined) => (name === 'big' ? 10 : 1);
  expect(worstExtras({ ...question, dearness })?.passesBeside).toBe(10);
});
