import { expect, test } from 'bun:test';
import { RawJson, stringifyWithRaw } from './raw-json.ts';

test('writes JSON text as it was sent at any depth', () => {
  const raw = new RawJson('{"b": 1.0, "a": [ ]}');
  expect(stringifyWithRaw({ one: raw, list: [{ two: raw }], none: undefined })).toBe(
    '{"one":{"b": 1.0, "a": [ ]},"list":[{"two":{"b": 1.0, "a": [ ]}}]}',
  );
});

test('keeps texts and names that look like a place of JSON text', () => {
  const value = { '\u0000raw:0': '\u0000raw:0', raw: new RawJson('1.0') };
  expect(stringifyWithRaw(value)).toBe('{"\\u0000raw:0":"\\u0000raw:0","raw":1.0}');
});
