import { expect, test } from 'bun:test';
import { Refusal } from '../errors/refusal.ts';
import type { JsonBody } from './json-body.ts';
import { parseBodyAtOnce } from './parse-body.ts';

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const codeOf = (text: string) => {
  const result = parseBodyAtOnce(text);
  return result instanceof Refusal ? result.code : 'ok';
};
const spansOf = (text: string) => {
  const body = parseBodyAtOnce(text) as JsonBody;
  return Object.fromEntries([...body.members].map(([key, { start, end }]) => [key, text.slice(start, end)]));
};

test('refuses a body nested deeper than 200 levels, whatever else it contains [ERR-40]', () => {
  expect(codeOf(nested(200))).toBe('ok');
  expect(codeOf(nested(201))).toBe('invalid_json');
  expect(codeOf('['.repeat(5_000_000))).toBe('invalid_json');
  expect(codeOf(`{"text":"${'['.repeat(1000)}"}`)).toBe('ok');
});

test('distinguishes invalid JSON from JSON that is not an object [ERR-12, ERR-41]', () => {
  for (const text of ['', '{', '{"a":}', '{"a":1,}', "{'a':1}", '{"a":1}x', '{"a":"\n"}']) {
    expect(codeOf(text)).toBe('invalid_json');
  }
  for (const text of ['[]', '1', '"x"', 'null', 'true']) expect(codeOf(text)).toBe('invalid_request');
});

test('refuses an escaped surrogate only if it is alone [ERR-39]', () => {
  expect(codeOf('{"a":"\\ud83d\\ude00"}')).toBe('ok');
  expect(codeOf('{"a":"\\\\ud83d"}')).toBe('ok');
  for (const text of [
    '{"a":"\\ud83d"}',
    '{"a":"\\ude00"}',
    '{"a":"\\ud83dx\\ude00"}',
    '{"a":"\\\\\\uD83D"}',
    '{"\\udead":1}',
  ]) {
    expect(codeOf(text)).toBe('invalid_json');
  }
});

test('refuses a duplicate member at any depth, even if one of the two is written with escapes', () => {
  expect(codeOf('{"model":"cheap","model":"dear"}')).toBe('invalid_json');
  expect(codeOf('{"model":"cheap","mod\\u0065l":"dear"}')).toBe('invalid_json');
  expect(codeOf('{"a":{"x":1,"x":2}}')).toBe('invalid_json');
  expect(codeOf('{"a":[[1,{"b":{"x":1,"\\u0078":{}}}]],"x":1}')).toBe('invalid_json');
});

test('accepts empty values anywhere and the same name in different objects', () => {
  for (const text of [
    '{}',
    '{"x":{"x":[{"x":1},{"x":[]},{}]},"y":{}}',
    '{"a":[[],[[]],{}],"b":null,"__proto__":{"a":1}}',
  ])
    expect(codeOf(text)).toBe('ok');
});

test('finds the places of the top-level members in the text', () => {
  expect(spansOf('{ "model" : "a\\"b" , "n":[1,{"model":2}],"x":{"y":"}"} ,"last": 1e3 }')).toEqual({
    model: '"a\\"b"',
    n: '[1,{"model":2}]',
    x: '{"y":"}"}',
    last: '1e3',
  });
});

test('treats names of the object prototype as ordinary members', () => {
  const body = parseBodyAtOnce('{"__proto__":{"polluted":1},"constructor":2}') as JsonBody;
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect([...body.members.keys()]).toEqual(['__proto__', 'constructor']);
});

test('refuses more than a thousand members, or half a million values at any depth', () => {
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
  expect(codeOf(members(1_000))).toBe('ok');
  expect(codeOf(members(1_001))).toBe('invalid_json');
  expect(codeOf(`{"a":${members(1_001)}}`)).toBe('ok');
  expect(codeOf(`{"a":[${'1,'.repeat(499_990)}1]}`)).toBe('ok');
  expect(codeOf(`{"a":[${'1,'.repeat(500_000)}1]}`)).toBe('invalid_json');
  expect(codeOf(`{"a":[${'[[]],'.repeat(200_000)}1]}`)).toBe('invalid_json');
  expect(codeOf(`{"a":"${','.repeat(600_000)}"}`)).toBe('ok');
});

test('scans a large body only once, whatever it contains', () => {
  const bodies = {
    escapes: `{"a":"\\ud83d\\ude00${'\\n'.repeat(2_000_000)}"}`,
    backslashes: `{"a":"\\ud83d\\ude00${'\\\\'.repeat(2_000_000)}"}`,
    quotes: `{"a":"\\ud83d\\ude00${'\\"'.repeat(2_000_000)}"}`,
    spaces: `{${'"a" :'.padEnd(4_000_000)}1${' '.repeat(4_000_000)}}`,
  };
  for (const [name, text] of Object.entries(bodies)) {
    const startedAt = performance.now();
    expect({ name, code: codeOf(text) }).toEqual({ name, code: 'ok' });
    expect(performance.now() - startedAt).toBeLessThan(2_000); // a quadratic scan would take hours
  }
});
