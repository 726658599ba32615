import { expect, test } from 'bun:test';
import { ArrivalClock } from './arrival-clock.ts';

/** Whether a body of which this much has come is ended at that time. */
function isEnded(received: number, afterMs: number): boolean {
  const clock = new ArrivalClock(60_000);
  let ended = false;
  clock.watch({ received }, () => {
    ended = true;
  });
  clock.sweep(performance.now() + afterMs);
  return ended;
}

test('a large body has five seconds of grace, and then has to come at 64 KB a second', () => {
  expect(isEnded(0, 4_000)).toBe(false);
  expect(isEnded(0, 6_000)).toBe(true);
  expect(isEnded(300_000, 6_000)).toBe(true);
  expect(isEnded(500_000, 6_000)).toBe(false);
  expect(isEnded(3_000_000, 40_000)).toBe(false);
});

test('however fast it comes, a body is ended at the time-out', () => {
  expect(isEnded(10_000_000, 61_000)).toBe(true);
});

test('a watch that was ended is not called', () => {
  const clock = new ArrivalClock(60_000);
  clock.watch({ received: 0 }, () => expect.unreachable())();
  clock.sweep(performance.now() + 61_000);
});
