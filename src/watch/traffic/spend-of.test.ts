import { expect, test } from 'bun:test';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { ModelRoute } from '../../settings/catalog/model.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { spendOf } from './spend-of.ts';

const route = (provider: string, model: string, cost: ModelRoute['cost']): ModelRoute => ({
  provider,
  model,
  weight: 1,
  wires: null,
  refuses: [],
  cost,
});
const routes = [
  route('p', 'up-1', { input: 1, output: 2, cachedInput: 0.5 }),
  route('p', 'up-2', { input: 10, output: 20, cachedInput: null }),
  route('q', 'up-1', null),
];
const catalog = { find: () => sampleEntry({ model: { routes } }) };

const spend = (fields: object): number => {
  const notes = Object.assign(new ExchangeNotes(), {
    servedModel: 'm',
    provider: 'p',
    inputTokens: 100,
    outputTokens: 10,
    costMicrocredits: 7,
    usage: { input: { uncached: 60, cacheRead: 40 }, output: { visible: 10 } },
    ...fields,
  });
  return spendOf({ notes, snapshot: { catalog } });
};
const calling = (model: string) => ({ calls: [{ model }] });

test('spend is the cost of the route that answered', () => {
  expect(spend(calling('up-1'))).toBe(60 * 500 + 40 * 250 + 10 * 1_000);
  expect(spend(calling('up-2'))).toBe(100 * 5_000 + 10 * 10_000);
});

test("without a cost of the route, spend is the price of the model that answered, and the simulator's is zero", () => {
  expect(spend({ provider: 'q' })).toBe(7);
  expect(spend({ provider: 'other', servedCostMicrocredits: 9 })).toBe(9);
  expect(spend({ ...calling('up-1'), simulated: true })).toBe(0);
});
