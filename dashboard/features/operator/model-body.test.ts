import { expect, test } from 'bun:test';
import { bodyOf, changesOf } from './model-body.ts';
import { type ModelFields, newModel } from './model-fields.ts';
import { valuesOf } from './model-form-values.ts';

const hours = [{ days: ['mon' as const], from: '01:00', to: '04:00' }];
const row: ModelFields = {
  ...newModel,
  display_name: 'Small',
  aliases: ['a', 'b'],
  pricing_usd_per_mtok: {
    input: 1,
    output: 4,
    cached_input: null,
    conditions: [
      { name: 'night', hours, factor: 0.5 },
      { name: 'long', above_input_tokens: 200_000, factor: 1, input: 2, cached_input: 0 },
    ],
  },
  routes: [{ provider: 'p', model: 'm', weight: 1, wires: ['openai-chat'], cost_usd_per_mtok: null }],
};

test('an untouched form changes nothing, and keeps the members that it has no field for', () => {
  expect(changesOf(valuesOf(row), row)).toEqual({});
  expect(bodyOf(valuesOf(row), row)).toMatchObject({
    pricing_usd_per_mtok: row.pricing_usd_per_mtok,
    routes: row.routes,
  });
});

test('a form sends only its changed fields, and rows of prices as a whole', () => {
  const values = {
    ...valuesOf(row),
    display_name: '',
    'pricing_usd_per_mtok.input': '1.5',
    'routes[1].origin': '',
    'routes[1].provider': 'q',
    'routes[1].model': 'n',
  };
  const kept = Object.entries(values).filter(([name]) => !name.includes('conditions[1]'));
  expect(changesOf(Object.fromEntries(kept), row)).toEqual({
    display_name: null,
    pricing_usd_per_mtok: {
      input: 1.5,
      output: 4,
      cached_input: null,
      conditions: [{ hours, name: 'night', factor: 0.5 }],
    },
    routes: [...row.routes, { provider: 'q', model: 'n', weight: 1 }],
  });
});
