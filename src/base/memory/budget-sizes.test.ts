import { expect, test } from 'bun:test';
import { budgetSizes } from './budget-sizes.ts';

const MB = 1024 * 1024;
const sizesOf = (limitMb: number, largeMb?: number) => {
  const sizes = budgetSizes(limitMb * MB, largeMb === undefined ? undefined : largeMb * MB);
  return Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, Math.round(bytes / MB)]));
};

test('requests can hold the free memory of a small container, and large requests half of it', () => {
  expect(sizesOf(512)).toEqual({ total: 250, large: 125, waiting: 62, maxBytes: 311 });
  expect(sizesOf(1_024)).toEqual({ total: 659, large: 256, waiting: 128, maxBytes: 782 });
});

test('large requests can hold 256 MB on a large machine, unless the operator configures more', () => {
  expect(sizesOf(24_000)).toMatchObject({ large: 256, total: 19_040 });
  expect(sizesOf(24_000, 4_000)).toMatchObject({ large: 4_000, waiting: 128 });
});

test('a very small limit still leaves room for requests', () => {
  expect(sizesOf(128)).toEqual({ total: 64, large: 32, waiting: 16, maxBytes: 64 });
});
