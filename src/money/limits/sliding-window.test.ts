import { expect, test } from 'bun:test';
import { seededRandom } from '../../base/lib/testing/seeded-random.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import { SlidingWindow } from './sliding-window.ts';

/** Takes one whenever the window has room, else waits for the returned time. Returns the times. */
function admittedTimes(seed: number, limit: number): { times: number[]; earlier: number } {
  const random = seededRandom(seed);
  const window = new SlidingWindow(MINUTE_MS);
  const times: number[] = [];
  let now = Math.floor(random() * 1e12);
  let earlier = 0;
  while (times.length < 400) {
    now += Math.floor(random() * (random() < 0.1 ? 30_000 : 400));
    if (window.total(now) + 1 > limit) {
      const waitMs = window.waitMs(now, limit - 1);
      if (window.total(now + waitMs - 1) + 1 <= limit) earlier++;
      if (random() < 0.5) continue;
      now += waitMs;
    }
    if (window.total(now) + 1 > limit) throw new Error('refused after the wait that it was given');
    window.take(now, 1);
    times.push(now);
  }
  return { times, earlier };
}

test('admits at most the limit in any minute, after the wait that a refusal names [LIM-25]', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const limit = 1 + (seed % 20);
    const { times, earlier } = admittedTimes(seed, limit);
    const tooClose = times.filter((at, index) => index >= limit && at - times[index - limit]! < MINUTE_MS);
    expect(tooClose).toEqual([]);
    // A try one moment before the end of the wait must be refused, so the wait is exact.
    expect(earlier).toBe(0);
  }
});

test('never makes a caller wait longer than the window', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 500; round++) {
    const now = Math.floor(random() * 1e12);
    const window = new SlidingWindow(MINUTE_MS);
    window.take(now, 1);
    expect(window.waitMs(now, 0)).toBe(MINUTE_MS);
    expect(window.total(now + MINUTE_MS - 1)).toBe(1);
    expect(window.total(now + MINUTE_MS)).toBe(0);
  }
});

test('returns an excess to the bin that it was taken from, up to the amount taken', () => {
  const window = new SlidingWindow(MINUTE_MS);
  window.take(0, 100);
  window.giveBack(0, 30_000, 60);
  expect(window.total(30_000)).toBe(40);
  window.giveBack(0, 30_000, 1_000);
  expect(window.total(30_000)).toBe(0);
  window.take(40_000, 7);
  expect(window.total(61_000)).toBe(7);
  window.giveBack(0, 90_000, 5); // the bin has left the window
  expect(window.total(90_000)).toBe(7);
  expect(window.waitMs(90_000, 0)).toBe(10_000);
});

test('a clock that goes back does not change the window', () => {
  const window = new SlidingWindow(MINUTE_MS);
  window.take(1_000_000, 3);
  expect(window.total(400_000)).toBe(3);
  window.take(400_000, 1);
  expect(window.total(1_030_000)).toBe(4);
});

test('divides a window of five minutes into bins of five seconds', () => {
  const window = new SlidingWindow(300_000);
  window.take(0, 1);
  window.take(4_999, 1);
  expect(window.total(304_998)).toBe(2);
  expect(window.total(304_999)).toBe(0);
});
