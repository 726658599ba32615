import { expect, test } from 'bun:test';
import { isTooDeep, MAX_ANSWER_DEPTH } from './is-too-deep.ts';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

test('accepts JSON at most a thousand levels deep', () => {
  for (const [open, close, levels] of [
    ['[', ']', 1],
    ['{"a":', '}', 1],
    ['[{"a":', '}]', 2],
  ] as const) {
    const depth = MAX_ANSWER_DEPTH / levels;
    expect(isTooDeep(nested(depth, open, close))).toBe(false);
    expect(isTooDeep(nested(depth + 1, open, close))).toBe(true);
  }
  expect(isTooDeep(`{"a": 1, "b": ${nested(100_000)}}`)).toBe(true);
});

test('does not count brackets in strings, or brackets that are closed again', () => {
  expect(isTooDeep(JSON.stringify({ text: nested(100_000) }))).toBe(false);
  expect(isTooDeep(JSON.stringify(Array.from({ length: 50_000 }, () => ({ a: [] }))))).toBe(false);
});
