import { expect, test } from 'bun:test';
import { cutBytes } from './cut-bytes.ts';

test('cuts a text to its bytes and splits no character', () => {
  expect(cutBytes('abc', 3)).toBe('abc');
  expect(cutBytes('abcd', 3)).toBe('abc');
  expect(cutBytes('aé', 2)).toBe('a');
  expect(cutBytes('a😀b', 4)).toBe('a');
  expect(cutBytes('a😀b', 5)).toBe('a😀');
});
