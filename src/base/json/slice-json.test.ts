import { expect, test } from 'bun:test';
import { sliceJson } from './slice-json.ts';

test('finds a value as it was sent', () => {
  expect(sliceJson('{"a": [1, {"b" : 1.0}]}', ['a', 1, 'b'])).toBe('1.0');
  expect(sliceJson('{"a":1}', ['b'])).toBeUndefined();
});

test('finds the last of several members with one name, as JSON parsers do', () => {
  const text = '{"tool":{"name":"a","name":"b","schema":{"n":1.0},"schema":{"n":2.0}}}';
  expect(sliceJson(text, ['tool', 'name'])).toBe('"b"');
  expect(sliceJson(text, ['tool', 'schema', 'n'])).toBe('2.0');
});
