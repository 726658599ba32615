import { expect, test } from 'bun:test';
import { atOnce, inSlices, type Steps } from './in-slices.ts';

/** Makes work with this many steps of this length. */
function work(steps: number, stepMs: number) {
  const time = { now: 0 };
  let pauses = 0;
  let sincePause = 0;
  let longest = 0;
  function* run(): Steps<string> {
    for (let step = 0; step < steps; step++) {
      time.now += stepMs;
      sincePause += stepMs;
      longest = Math.max(longest, sincePause);
      yield;
    }
    return 'done';
  }
  const pause = async () => {
    pauses++;
    sincePause = 0;
    time.now += 50; // other work does not count towards a slice
  };
  return { run, parts: { now: () => time.now, pause }, reported: () => ({ pauses, longest }) };
}

test('returns the result of work that gives way every two milliseconds', async () => {
  const { run, parts, reported } = work(1_000, 0.25);
  expect(await inSlices(run(), parts)).toBe('done');
  expect(reported().longest).toBeLessThanOrEqual(2.25);
  expect(reported().pauses).toBeWithin(110, 126);
});

test('does short work without a pause', async () => {
  const { run, parts, reported } = work(10, 0.1);
  expect(await inSlices(run(), parts)).toBe('done');
  expect(reported().pauses).toBe(0);
});

test('ends the work when a step throws', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first step ends
  function* fails(): Steps<string> {
    throw new Error('broken');
  }
  await expect(inSlices(fails())).rejects.toThrow('broken');
});

test('runs the same work without a pause if nothing waits for the event loop', () => {
  const { run } = work(1_000, 1);
  expect(atOnce(run())).toBe('done');
});
