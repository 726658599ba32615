import { expect, test } from 'bun:test';
import { summarize } from './summarize.ts';

test('returns the median of an odd and an even number of values, and null for none', () => {
  expect(summarize([9, 1, 2])).toEqual({ median: 2, min: 1, max: 9 });
  expect(summarize([4, 1, 2, 9])).toEqual({ median: 3, min: 1, max: 9 });
  expect(summarize([])).toBeNull();
});
