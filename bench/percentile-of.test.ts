import { expect, test } from 'bun:test';
import { percentileOf } from './percentile-of.ts';

test('a percentile is one of the values, and 0 of none', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentileOf(hundred, 0.99)).toBe(99);
  expect(percentileOf([3, 1, 2, 4], 0.5)).toBe(2);
  expect(percentileOf([3, 1, 2, 4], 0.99)).toBe(4);
  expect(percentileOf([], 0.5)).toBe(0);
});
