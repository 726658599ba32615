import { expect, test } from 'bun:test';
import { findProblems } from './find-problems.ts';
import { formatPath } from './format-path.ts';
import { Type } from './type.ts';

const Text = Type.Object({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) });
const Source = Type.Union([
  Type.Object({ type: Type.Literal('base64'), data: Type.String() }),
  Type.Object({
    type: Type.Literal('url'),
    url: Type.String({ pattern: '^https?://', expected: 'an address' }),
  }),
]);
const Image = Type.Object({ type: Type.Literal('image'), source: Source });
const Body = Type.Object({
  model: Type.String(),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  messages: Type.Array(
    Type.Union([
      Type.Object({ role: Type.Literal('system'), content: Type.String() }),
      Type.Object({
        role: Type.Literal('user'),
        content: Type.Union([Type.String(), Type.Array(Type.Union([Text, Image]))]),
      }),
    ]),
    { minItems: 1, maxItems: 3 },
  ),
  tool_choice: Type.Optional(
    Type.Union([Type.Literal('auto'), Type.Literal('none'), Type.Object({ name: Type.String() })]),
  ),
  mode: Type.Optional(Type.Union([Type.Literal('auto'), Type.Literal('any'), Type.Literal('tool')])),
  stop: Type.Optional(Type.Union([Type.Null(), Type.String(), Type.Array(Type.String())])),
  prompt: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Array(Type.Integer())])),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
});

const Strict = Type.Object(
  { base_url: Type.String(), weight: Type.Optional(Type.Number()) },
  { additionalProperties: false },
);

const lines = (schema: Parameters<typeof findProblems>[0], value: unknown): string[] =>
  findProblems(schema, value).map(({ path, message }) => `${formatPath(path)}: ${message}`);

const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] });
const withField = (name: string, value: unknown) => ({ ...user('hi'), [name]: value });

const cases: [name: string, value: unknown, expected: string[]][] = [
  ['nothing for a value that fits', withField('stop', null), []],
  ['the type that came', withField('model', 1), ['model: must be a string, not a number']],
  [
    'the whole path through unions',
    user([
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'base64', data: 5 } },
    ]),
    ['messages[0].content[1].source.data: must be a string, not a number'],
  ],
  [
    'an unknown discriminator at its own path',
    user([{ type: 'image', source: { type: 'file' } }]),
    ["messages[0].content[0].source.type: must be one of base64, url, not 'file'"],
  ],
  [
    'a missing discriminator',
    user([{ text: 'a' }]),
    ['messages[0].content[0].type: is required: must be one of text, image'],
  ],
  [
    'a pattern with its description',
    user([{ type: 'image', source: { type: 'url', url: 'ftp:' } }]),
    ["messages[0].content[0].source.url: must be an address, not 'ftp:'"],
  ],
  [
    'the types that a union allows',
    user(7),
    ['messages[0].content: must be a string or an array, not a number'],
  ],
  ['a choice of literals', withField('mode', 'all'), ["mode: must be one of auto, any, tool, not 'all'"]],
  [
    'literals and objects',
    withField('tool_choice', 3),
    ['tool_choice: must be auto, none or an object, not a number'],
  ],
  [
    'a wrong literal where an object is also allowed',
    withField('tool_choice', 'x'),
    ["tool_choice: must be auto, none or an object, not 'x'"],
  ],
  [
    'the closer of two list types',
    withField('prompt', ['a', 'b', 3]),
    ['prompt[2]: must be a string, not a number'],
  ],
  ['a lower bound', withField('max_tokens', 0), ['max_tokens: must be at least 1, not 0']],
  ['an upper bound', withField('temperature', 2.5), ['temperature: must be at most 2, not 2.5']],
  ['a fraction for an integer', withField('max_tokens', 1.5), ['max_tokens: must be an integer, not 1.5']],
  ['an empty list', { model: 'm', messages: [] }, ['messages: must not be empty']],
  ['an empty text', user([{ type: 'text', text: '' }]), ['messages[0].content[0].text: must not be empty']],
  ['a value that is not an object', [], [': must be an object, not an array']],
];

for (const [name, value, expected] of cases) {
  test(`describes ${name}`, () => expect(lines(Body, value)).toEqual(expected));
}

test('reports problems in the order of the value with missing fields last', () => {
  const value = { temperature: 'x', messages: [{ content: 5, role: 'system' }, 'x'], stop: [1, 2] };
  expect(lines(Body, value)).toEqual([
    'temperature: must be a number, not a string',
    'messages[0].content: must be a string, not a number',
    'messages[1]: must be an object, not a string',
    'stop[0]: must be a string, not a number',
    'stop[1]: must be a string, not a number',
    'model: is required',
  ]);
  expect(findProblems(Body, value, { limit: 2 })).toHaveLength(2);
});

test('suggests the field that was meant', () => {
  expect(lines(Strict, { base_ulr: 'x', wieght: 1, zebra: 1 })).toEqual([
    "base_ulr: is not a known field; did you mean 'base_url'?",
    "wieght: is not a known field; did you mean 'weight'?",
    'zebra: is not a known field; known are base_url and weight',
    'base_url: is required',
  ]);
});

test('shows no secrets and no control characters', () => {
  const Choice = Type.Object({ key: Type.Union([Type.Literal('a'), Type.Literal('b')]) });
  expect(findProblems(Choice, { key: 'sk-1' }, { isSecret: () => true })[0]?.message).toBe(
    'must be one of a, b',
  );
  expect(lines(Choice, { key: `a\u0007\n${'x'.repeat(100)}` })[0]).toBe(
    `key: must be one of a, b, not 'a\\u{0007}\\u{000a}${'x'.repeat(37)}…'`,
  );
});

test('counts a length in characters, not in UTF-16 units', () => {
  const Short = Type.String({ maxLength: 2, minLength: 2 });
  expect(lines(Short, '😀😀')).toEqual([]);
  expect(lines(Short, '😀')).toEqual([': must have at least 2 characters']);
});

test('treats names of the object prototype like any other name', () => {
  expect(lines(Strict, JSON.parse('{"base_url":"x","__proto__":1,"constructor":2}'))).toEqual([
    '__proto__: is not a known field; known are base_url and weight',
    'constructor: is not a known field; known are base_url and weight',
  ]);
});
