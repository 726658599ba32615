import { expect, test } from 'bun:test';
import type { Receipt } from '../../money/ledger/entry.ts';
import type { Model, Pricing } from '../../settings/catalog/model.ts';
import { conditionOf } from '../../settings/catalog/price-condition.ts';
import { sampleModel } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleReceipt } from '../../store/testing/conformance/sample-ledger.ts';
import { costOfRequest } from './cost-of-request.ts';
import { whatIf } from './what-if.ts';

const base = { input: 1, output: 4, cachedInput: 0.1 };
const long = conditionOf({ name: 'long', above_input_tokens: 1_000, factor: 2 }, base);
const modelWith = (id: string, pricing: Pricing, extrasUsd = {}): Model =>
  sampleModel({ id, pricing, extrasUsd });

const model = modelWith('asked', { ...base, conditions: [long] });
const receipt = sampleReceipt({
  model: 'asked',
  servedModel: 'asked',
  tokens: { input: 2_000, cachedInput: 500, cacheWriteInput: 0, output: 101, reasoning: 0 },
  rates: { input: 1e9, cachedInput: 1e8, output: 4e9 },
  endpoint: '/v1/chat/completions',
  priceRow: 'long',
});
const entry = { at: Date.UTC(2026, 10, 28), period: 'monthly-1', microcredits: 1_954_000 };

test('the lines of a cost, with row, condition and rate, sum up to the charge', () => {
  const { lines, microcredits } = costOfRequest({ entry, receipt }, model);
  expect(microcredits).toBe(1_954_000);
  expect(lines).toEqual([
    ...[
      ['uncached_input', 1_500, 2, 1_500_000],
      ['cached_input', 500, 0.2, 50_000],
      ['output', 101, 8, 404_000],
    ].map(([what, quantity, rate_usd, cost]) => ({
      what: String(what),
      quantity: Number(quantity),
      unit: 'token',
      rate_usd: Number(rate_usd),
      row: 'long',
      condition: 'above 1,000 input tokens',
      factor: 1,
      microcredits: Number(cost),
    })),
  ]);
  expect(Math.ceil(lines.reduce((sum, line) => sum + line.microcredits, 0))).toBe(microcredits);
});

test('the same counts cost what another model or row asks', () => {
  const charged = { entry, receipt };
  expect(whatIf(charged, model, undefined)).toMatchObject({ microcredits: 1_954_000 });
  expect(whatIf(charged, model, 0)).toMatchObject({ microcredits: 977_000 });
  expect(whatIf(charged, model, 1)).toMatchObject({ microcredits: 1_954_000 });
  expect(whatIf(charged, model, 2)).toBeUndefined();
  const cheap = whatIf(
    charged,
    modelWith('cheap', { input: 0.0001, output: 0, cachedInput: null }),
    undefined,
  );
  expect(cheap).toMatchObject({ model: 'cheap', microcredits: 100 });
  expect(cheap!.lines.map(({ row, condition }) => [row, condition])).toEqual([
    ['base', null],
    ['base', null],
    ['base', null],
  ]);
});

test('tokens of generated images are priced at the rates of the row, like other tokens', () => {
  const image = { dimension: 'image', model: null, count: 50, rate: 8e9, of: 'output' } as const;
  const charged = { entry, receipt: { ...receipt, detail: { lines: [image], factors: [] } } };
  expect(whatIf(charged, model, undefined)).toMatchObject({ microcredits: 1_954_000 });
  expect(whatIf(charged, model, 0)).toMatchObject({ microcredits: 977_000 });
});

test('factors and calls are priced by the model that is asked about', () => {
  const detailed: Receipt = {
    ...receipt,
    tokens: { ...receipt.tokens, input: 1_000, cachedInput: 0, output: 0 },
    rates: { input: 1e9, cachedInput: 1e9, output: 0 },
    detail: {
      lines: [{ dimension: 'web_search', model: null, count: 2, rate: 5e12, of: null }],
      factors: [['priority', 2]],
    },
  };
  const { priceRow: _, ...plain } = detailed;
  const charged = { entry: { ...entry, microcredits: 11_000_000 }, receipt: plain };
  const explained = costOfRequest(charged, model);
  expect(explained.lines).toMatchObject([
    { what: 'uncached_input', rate_usd: 1, factor: 2, microcredits: 1_000_000 },
    { what: 'web_search', unit: 'call', quantity: 2, rate_usd: 10, factor: 1, microcredits: 10_000_000 },
  ]);
  const other = modelWith('other', { ...base, input: 2 }, { priority: 1.5, web_search: 5 });
  expect(whatIf(charged, other, undefined)).toMatchObject({
    microcredits: 1_500_000 + 5_000_000,
    lines: [{ rate_usd: 2, factor: 1.5 }, { rate_usd: 5 }],
  });
});
