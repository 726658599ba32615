import { expect, test } from 'bun:test';
import { atOnce, inSlices, type Steps } from './in-slices.ts';

/** Work of so many steps, each of which takes a while. */
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
    time.now += 50; // what others do meanwhile is not part of a slice
  };
  return { run, parts: { now: () => time.now, pause }, told: () => ({ pauses, longest }) };
}

test('work in slices lets others have their turn every two milliseconds, and gives what it came to', async () => {
  const { run, parts, told } = work(1_000, 0.25);
  expect(await inSlices(run(), parts)).toBe('done');
  expect(told().longest).toBeLessThanOrEqual(2.25);
  expect(told().pauses).toBeWithin(110, 126);
});

test('short work is done without a pause', async () => {
  const { run, parts, told } = work(10, 0.1);
  expect(await inSlices(run(), parts)).toBe('done');
  expect(told().pauses).toBe(0);
});

test('what a step throws ends the work', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first step ends
  function* fails(): Steps<string> {
    throw new Error('broken');
  }
  expect(inSlices(fails())).rejects.toThrow('broken');
});

test('the same work is done at once where nobody waits', () => {
  const { run } = work(1_000, 1);
  expect(atOnce(run())).toBe('done');
});
