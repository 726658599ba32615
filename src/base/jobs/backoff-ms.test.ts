import { expect, test } from 'bun:test';
import { backoffMs } from './backoff-ms.ts';

const pauses = (backoff: Parameters<typeof backoffMs>[1]) =>
  [0, 1, 2, 3].map((before) => backoffMs(before, backoff));

test('a pause doubles with each failure, up to a maximum', () => {
  expect(pauses({ firstMs: 500, maxMs: 3_000 })).toEqual([500, 1_000, 2_000, 3_000]);
  expect(backoffMs(5_000, { firstMs: 500, maxMs: 3_000 })).toBe(3_000);
});

test('a pause grows by another factor', () => {
  expect(pauses({ firstMs: 100, maxMs: 300, factor: 1.5 })).toEqual([100, 150, 225, 300]);
});
