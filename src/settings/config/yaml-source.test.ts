// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { expect, test } from 'bun:test';
import { formatPath } from '../../base/schema/format-path.ts';
import { readYaml } from './yaml-source.ts';

const read = (text: string, environment: Record<string, string> = {}) => readYaml(text, environment);
const said = (text: string) =>
  read(text).problems.map(
    ({ line, column, path, message }) => `${line}:${column} ${formatPath(path)}: ${message}`,
  );

test('reads placeholders in block and flow style, quoted and not [ADM-20]', () => {
  const text = 'a: ${A}\nb: { c: ${A}, d: [${B:-x}, "${A}"] }\ne: |\n  ${B:-y}\n# ${NOT_READ}\n"${K}": 1\n';
  expect(read(text, { A: '12' })).toMatchObject({
    value: { a: 12, b: { c: 12, d: ['x', '12'] }, e: 'y\n', '${K}': 1 },
    problems: [],
  });
});

test('reads an unquoted placeholder like an unquoted scalar, never as structure [ADM-20]', () => {
  const value = (text: string) => (read('a: ${A}', { A: text }).value as { a: unknown }).a;
  expect(['true', 'null', '-1.5e3', 'no', '0x1F', ''].map(value)).toEqual([
    true,
    null,
    -1500,
    'no',
    '0x1F',
    '',
  ]);
  expect(['[1]', 'b: c', '*a', '"q"'].map(value)).toEqual(['[1]', 'b: c', '*a', '"q"']);
});

test('locates every part', () => {
  const { locate } = read('a:\n  - b: 1\n    c: 2\nd: &x { e: 3 }\nf: *x\n');
  expect(locate(['a', 0, 'c'])).toEqual({ line: 3, column: 5 });
  expect(locate(['a', 0])).toEqual({ line: 2, column: 5 });
  expect(locate(['a', 0, 'missing', 'deeper'])).toEqual({ line: 2, column: 5 });
  expect(locate(['f', 'e'])).toEqual({ line: 4, column: 9 });
  expect(locate(['nothing'])).toEqual({ line: 1, column: 1 });
});

const broken: [name: string, text: string, expected: string][] = [
  ['a repeated key', 'a: 1\nb: 2\na: 3\n', '3:1 a: is not valid YAML: map keys must be unique'],
  ['a tab', 'a:\n\t- b\n', '2:1 a: is not valid YAML: tabs are not allowed as indentation'],
  ['an unknown tag', 'a: !x y\n', '1:4 a: is not valid YAML: unresolved tag'],
  ['an unknown anchor', 'a: *x\n', '1:4 a: is an alias of an anchor that is not defined before it'],
  ['an alias of itself', 'a: &x [*x]\n', '1:8 a[0]: is an alias of its own ancestor'],
  ['a key that is a list', '? [a]\n: 1\n', '1:3 : has a key that is not plain text'],
  [
    'an unset variable',
    'a:\n  b: ${UNSET}\n',
    '2:3 a.b: needs the environment variable UNSET, which is not set and has no default',
  ],
];

for (const [name, text, expected] of broken) {
  test(`reports ${name} with line and column [ADM-19]`, () => expect(said(text)).toEqual([expected]));
}

test('refuses an alias bomb quickly', () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(10)}]`,
  );
  const { problems } = read(`l0: &l0 [${'x, '.repeat(10)}]\n${levels.join('\n')}\n`);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toBe('is nested too deep or repeats too many aliases');
});

test('quotes no text of an invalid file', () => {
  expect(said('a: ]sk-secret\n').join()).not.toContain('secret');
});
