// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { expect, test } from 'bun:test';
import { interpolate } from './interpolate.ts';

const environment = { NAME: 'value', EMPTY: '', MORE: 'a${NAME}' };

const cases: [source: string, text: string][] = [
  ['${NAME}', 'value'],
  ['http://${NAME}:${PORT:-80}/', 'http://value:80/'],
  ['${EMPTY}', ''],
  ['${EMPTY:-default}', 'default'],
  ['${UNSET:-}', ''],
  ['${UNSET:-a: b, #c}', 'a: b, #c'],
  ['$${NAME}', '${NAME}'],
  ['$${anything else}', '${anything else}'],
  ['$NAME costs $5', '$NAME costs $5'],
  ['${MORE}', 'a${NAME}'],
];

for (const [source, text] of cases) {
  test(`fills in ${source} [ADM-20]`, () => {
    const { problems, ...interpolated } = interpolate(source, environment);
    expect(interpolated.text).toBe(text);
    expect(problems).toEqual([]);
  });
}

test('reports a variable that is unset and has no default [ADM-20]', () => {
  expect(interpolate('x${UNSET}', environment).problems).toEqual([
    'needs the environment variable UNSET, which is not set and has no default',
  ]);
});

test('reports a malformed placeholder', () => {
  for (const source of ['${1NAME}', '${NAME', '${NAME:?no}', '${A:-${NAME}}']) {
    expect(interpolate(source, environment).problems.length).toBeGreaterThan(0);
  }
});
