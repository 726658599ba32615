import { expect, test } from 'bun:test';
import { escapeUnprintable } from './escape-unprintable.ts';

test('escapes control, bidi and line-separator characters without changing the value of the JSON', () => {
  const text = 'a\u007f\u0085\u009b31m\u200e\u200f\u2028\u2029\u202e\u2066\ufeff é 漢 😀';
  const json = escapeUnprintable(JSON.stringify(text));
  expect(json).toBe('"a\\u007f\\u0085\\u009b31m\\u200e\\u200f\\u2028\\u2029\\u202e\\u2066\\ufeff é 漢 😀"');
  expect(JSON.parse(json)).toBe(text);
});
