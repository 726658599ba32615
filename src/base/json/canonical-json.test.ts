import { expect, test } from 'bun:test';
import { canonicalJson } from './canonical-json.ts';

test('keys are sorted at every level, unlike lists', () => {
  const value = { b: [{ z: 1, y: null }, 'two'], a: { d: 'ü', c: 1.5 }, B: true };
  expect(canonicalJson(value)).toBe('{"B":true,"a":{"c":1.5,"d":"ü"},"b":[{"y":null,"z":1},"two"]}');
});
