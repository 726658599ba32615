// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a placeholder is tested
import { describe, expect, test } from 'bun:test';
import type { PriceRow } from './price-schema.ts';
import { withPrices } from './with-prices.ts';

const price = (input: number, output: number, cached: number | null = null): PriceRow => ({
  input,
  output,
  cached_input: cached,
});
const write = (text: string, ...prices: [string, PriceRow][]) => withPrices(text, { rows: new Map(prices) });

describe('prices are written', () => {
  for (const [what, before, after] of [
    ['to an empty file', '', 'catalog:\n  prices:\n    m: { input: 1, output: 2 }\n'],
    ['to a file of comments', '# mine\n', '# mine\ncatalog:\n  prices:\n    m: { input: 1, output: 2 }\n'],
    [
      'behind other sections, with a placeholder and a comment',
      'providers: # mine\n  - id: a\n    api_key: ${KEY}\n    keys: [x, ${Y}] # two\n',
      'providers: # mine\n  - id: a\n    api_key: ${KEY}\n    keys: [x, ${Y}] # two\ncatalog:\n  prices:\n    m: { input: 1, output: 2 }\n',
    ],
    [
      'to a catalog in the middle of a file',
      'catalog:\n    # all\n    default: true # kept\n\n# the brand\nbrand: svc\n',
      'catalog:\n    # all\n    default: true # kept\n    prices:\n      m: { input: 1, output: 2 }\n\n# the brand\nbrand: svc\n',
    ],
    [
      'behind a text of several lines',
      'catalog:\n  models:\n    - id: x\n      description: |\n        one\n        two\nbrand: svc\n',
      'catalog:\n  models:\n    - id: x\n      description: |\n        one\n        two\n  prices:\n    m: { input: 1, output: 2 }\nbrand: svc\n',
    ],
    [
      'to an empty catalog',
      'catalog: # none\nbrand: svc\n',
      'catalog: # none\n  prices:\n    m: { input: 1, output: 2 }\nbrand: svc\n',
    ],
    [
      'behind other prices',
      'catalog:\n  prices:\n    # dear\n    x: { input: 9, output: 9 } # x\nbrand: svc',
      'catalog:\n  prices:\n    # dear\n    x: { input: 9, output: 9 } # x\n    m: { input: 1, output: 2 }\nbrand: svc',
    ],
    [
      'in place of others, whose comments stay',
      'catalog:\n  prices:\n    m:\n      input: 5 # in\n      output: 7.50 # out\n',
      'catalog:\n  prices:\n    m:\n      input: 1 # in\n      output: 2 # out\n',
    ],
    [
      'to a catalog on one line',
      'catalog: { default: false, } # one\n',
      'catalog: { default: false, "prices": { "m": { "input": 1, "output": 2 } }, } # one\n',
    ],
    ['to JSON', '{"catalog": {}}', '{"catalog": { "prices": { "m": { "input": 1, "output": 2 } } }}'],
    [
      'without a line break at the end',
      'brand: svc',
      'brand: svc\ncatalog:\n  prices:\n    m: { input: 1, output: 2 }\n',
    ],
    [
      'with the line breaks of the file',
      'brand: svc\r\n',
      'brand: svc\r\ncatalog:\r\n  prices:\r\n    m: { input: 1, output: 2 }\r\n',
    ],
  ] as const)
    test(what, () => expect(write(before, ['m', price(1, 2)])).toBe(after));

  test('of several models, each behind the one before', () => {
    const text = write('brand: svc\n', ['@svc/m', price(1, 2, 0.5)], ['n', price(3, 4)]);
    expect(text).toBe(
      'brand: svc\ncatalog:\n  prices:\n    "@svc/m": { input: 1, output: 2, cached_input: 0.5 }\n    n: { input: 3, output: 4 }\n',
    );
  });

  test('with fields that were missing or have ended', () => {
    const block = 'catalog:\n  prices:\n    m:\n      input: 5\n      output: 7 # out\nbrand: x\n';
    expect(write(block, ['m', price(1, 2, 0.1)])).toBe(
      'catalog:\n  prices:\n    m:\n      input: 1\n      output: 2 # out\n      cached_input: 0.1\nbrand: x\n',
    );
    const flow = 'catalog: { prices: { m: { input: 5, output: 7, cached_input: 1 } } }\n';
    expect(write(flow, ['m', price(1, 2)])).toBe(
      'catalog: { prices: { m: { input: 1, output: 2, cached_input: null } } }\n',
    );
  });
});

test('a file that the function cannot extend is left alone', () => {
  for (const text of ['- a\n', 'catalog: *x\n', 'a: [\n', 'catalog: 5\n', 'catalog: { prices: 5 }\n'])
    expect(write(text, ['m', price(1, 2)])).toBeUndefined();
});
