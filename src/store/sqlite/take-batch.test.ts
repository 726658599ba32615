import { expect, test } from 'bun:test';
import { MAX_BYTES_PER_COMMIT, MAX_WRITES_PER_COMMIT, takeBatch } from './take-batch.ts';

/** Takes batches until the queue is empty, and returns them. */
function batchesOf(sizes: readonly (number | undefined)[]): number[][] {
  const waiting = sizes.map((bytes, place) => ({ change: bytes === undefined ? {} : { bytes }, place }));
  const batches: number[][] = [];
  while (waiting.length > 0) batches.push(takeBatch(waiting).map(({ place }) => place));
  return batches;
}
const LARGE = MAX_BYTES_PER_COMMIT * 0.6;

test('small changes pass a large one, which spans consecutive transactions', () => {
  expect(batchesOf([LARGE, LARGE, 0, LARGE, 100, 0])).toEqual([[0, 2, 4, 5], [1], [3]]);
});

test('writes a change that is larger than the bound', () => {
  const huge = MAX_BYTES_PER_COMMIT * 3;
  expect(batchesOf([huge, huge, 0])).toEqual([[0, 2], [1]]);
});

test('a change without a size keeps its place', () => {
  expect(batchesOf([LARGE, LARGE, undefined, 0])).toEqual([[0], [1, 2, 3]]);
  expect(batchesOf([undefined, undefined, 0])).toEqual([[0, 1, 2]]);
});

test('bounds the number of changes in a transaction without reordering them', () => {
  const places = Array.from({ length: MAX_WRITES_PER_COMMIT + 3 }, (_, place) => place);
  const batches = batchesOf(places.map(() => 0));
  expect(batches.map(({ length }) => length)).toEqual([MAX_WRITES_PER_COMMIT, 3]);
  expect(batches.flat()).toEqual(places);
});
