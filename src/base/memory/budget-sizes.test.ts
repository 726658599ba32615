import { expect, test } from 'bun:test';
import { budgetSizes } from './budget-sizes.ts';

const MB = 1024 * 1024;
const sizesOf = (limitMb: number, largeMb?: number) => {
  const sizes = budgetSizes(limitMb * MB, largeMb === undefined ? undefined : largeMb * MB);
  return Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, Math.round(bytes / MB)]));
};

test('requests can hold the free memory of a small container, large ones half of it', () => {
  expect(sizesOf(512)).toEqual({ totalBytes: 250, largeBytes: 125, waitingBytes: 62, overdrawnBytes: 311 });
  expect(sizesOf(1_024)).toEqual({
    totalBytes: 659,
    largeBytes: 256,
    waitingBytes: 128,
    overdrawnBytes: 782,
  });
});

test('large requests can hold 256 MB on a large machine, unless the operator configures more', () => {
  expect(sizesOf(24_000)).toMatchObject({ largeBytes: 256, totalBytes: 19_040 });
  expect(sizesOf(24_000, 4_000)).toMatchObject({ largeBytes: 4_000, waitingBytes: 128 });
});

test('a very small limit still leaves room for requests', () => {
  expect(sizesOf(128)).toEqual({ totalBytes: 64, largeBytes: 32, waitingBytes: 16, overdrawnBytes: 64 });
});
