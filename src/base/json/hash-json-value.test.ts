import { expect, test } from 'bun:test';
import { hashJsonValue } from './hash-json-value.ts';

const hash = (text: string) => hashJsonValue(JSON.parse(text));

test('ignores the order of members and white space, at any depth [IDM-08]', async () => {
  const one = await hash('{"a": 1, "list": [{"x": "é", "y": [1, 2]}, null], "b": {"c": true, "d": {}}}');
  expect(await hash('{"b":{"d":{},"c":true},"list":[{"y":[1,2.0],"x":"\\u00e9"},null],"a":1}')).toBe(one);
});

test('distinguishes all other differences', async () => {
  const texts = [
    '{}',
    '{"a": 1}',
    '{"a": "1"}',
    '{"a": [1]}',
    '{"a": [[1]]}',
    '{"a": [1, 2]}',
    '{"a": [2, 1]}',
    '{"a": ["1,2"]}',
    '{"a": {"0": 1}}',
    '{"a": null}',
    '{"a": [], "b": []}',
    '{"a": [[], []]}',
    '{"__proto__": 1}',
    '{"a": "1;\\"b\\":2"}',
    '{"a": 1, "b": 2}',
  ];
  expect(new Set(await Promise.all(texts.map(hash))).size).toBe(texts.length);
});
