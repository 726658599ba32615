import { expect, test } from 'bun:test';
import { type GarbageCollection, GarbageWatch } from './garbage-watch.ts';

const MB = 1024 * 1024;

/** Sweeps a process of 100 MB at each of these sizes, and returns the collections of each sweep. */
function sweepAt(
  sizes: readonly number[],
  { isServing = true, budget = 8_000 } = {},
): (GarbageCollection | '')[] {
  let resident = 100;
  let latest: GarbageCollection | '' = '';
  const watch = new GarbageWatch(budget * MB, {
    residentBytes: () => resident * MB,
    collect: (collection) => {
      latest = collection;
    },
  });
  return sizes.map((size) => {
    resident = size;
    latest = '';
    watch.sweep(0, isServing);
    return latest;
  });
}

test('collects garbage in the background after each growth', () => {
  expect(sweepAt([190, 200, 201, 220, 240, 241, 242])).toEqual([
    '',
    'background',
    '',
    '',
    'background',
    '',
    '',
  ]);
});

test('starts again after the process has become small again', () => {
  expect(sweepAt([200, 150, 200])).toEqual(['background', '', 'background']);
});

test('lets requests wait for the collector only when the garbage grows further', () => {
  expect(sweepAt([200, 300])).toEqual(['background', 'now']);
  expect(sweepAt([200, 250], { budget: 250 })).toEqual(['background', 'now']);
});

test('frees the memory for the system as soon as no requests arrive and the process has stopped growing', () => {
  expect(sweepAt([200, 215, 215, 215], { isServing: false })).toEqual(['background', '', 'now', 'now']);
  expect(sweepAt([200, 215, 215, 215], { isServing: true })).toEqual(['background', '', '', '']);
});
