import { expect, test } from 'bun:test';
import { findWarnings } from './find-warnings.ts';
import { configOf, problemsOf } from './testing/config-of.ts';

function warningsOf({ providers = [], models = [] }: { providers?: object[]; models?: object[] }): string[] {
  const text = JSON.stringify({ providers, catalog: { default: false, models } });
  return findWarnings(configOf(text)).map(({ path, message }) => `${path.join('.')} ${message}`);
}

const provider = (base_url: string) => ({ id: 'p', wire: 'openai-chat', base_url });
const model = {
  id: 'm',
  context_window: 1_000,
  max_output: 1_000,
  pricing_usd_per_mtok: { input: 0.001, output: 2, cached_input: 0 },
  routes: [{ provider: 'p', model: 'm' }],
};

test('settings that are meant cause no warning', () => {
  const reasoning = { capabilities: { reasoning: true }, reasoning_efforts: ['low'] };
  expect(
    warningsOf({
      providers: [provider('http://h/v1'), provider('https://h/completions-api')].map((row, index) => ({
        ...row,
        id: `p${index}`,
      })),
      models: [model, { ...model, id: 'n', ...reasoning, max_output: null }],
    }),
  ).toEqual([]);
});

for (const ending of ['/chat/completions', '/chat/completions/', '/responses', '/messages', '/embeddings']) {
  test(`a base URL that ends with ${ending} causes a warning`, () => {
    expect(warningsOf({ providers: [provider(`http://h/v1${ending}`)] })).toEqual([
      `providers.0.base_url ends with ${ending.replace(/\/$/, '')}, which the gateway appends itself; remove it`,
    ]);
  });
}

const doubtful: [name: string, fields: object, warning: string][] = [
  ['without routes', { routes: [] }, 'routes is empty, so requests for the model are refused; add a route'],
  [
    'with an answer longer than its window',
    { max_output: 1_001 },
    'max_output is 1001 tokens, more than the context_window of 1000 tokens',
  ],
  [
    'that reasons without efforts',
    { capabilities: { reasoning: true } },
    'reasoning_efforts is empty although the model reasons, so clients cannot choose an effort',
  ],
  [
    'with the price of one token',
    { pricing_usd_per_mtok: { input: 0.000_001, output: 2 } },
    'pricing_usd_per_mtok.input is 0.000001 USD per million tokens, which looks like the price of one token; ' +
      'multiply it by 1000000',
  ],
];

for (const [name, fields, warning] of doubtful) {
  test(`a model ${name} causes a warning`, () => {
    expect(warningsOf({ models: [{ ...model, ...fields }] })).toEqual([`catalog.models.0.${warning}`]);
  });
}

test('a parameter of a database URL that has no effect causes a warning without the URL', () => {
  const text = JSON.stringify({
    store: { database_url: 'postgres://u:sesame@h/d?channel_binding=require&sslmode=require' },
  });
  expect(findWarnings(configOf(text))).toEqual([
    {
      path: ['store', 'database_url'],
      message: 'has the parameter channel_binding, which has no effect; remove it',
    },
  ]);
});

test('an unknown parameter of a database URL is a problem of the configuration', () => {
  const text = JSON.stringify({ store: { database_url: 'postgres://u:sesame@h/d?sslmod=require' } });
  const problems = problemsOf(text).join();
  expect(problems).toContain('has the parameter sslmod, which is unknown');
  expect(problems).not.toContain('sesame');
});
