import { expect, test } from 'bun:test';
import { ArrivalClock } from './arrival-clock.ts';

/** After how many seconds a body is ended that comes at this pace from one second on to another. */
function endOf(bytesPerSecond: (second: number) => number): number | undefined {
  const clock = new ArrivalClock(60_000);
  const start = performance.now();
  const arrival = { received: 0 };
  let second = 0;
  let endedAt: number | undefined;
  clock.watch(arrival, () => {
    endedAt = second;
  });
  for (second = 1; second <= 120; second++) {
    arrival.received += bytesPerSecond(second);
    clock.sweep(start + second * 1_000);
  }
  return endedAt;
}

test('a body that comes slowly is read on until the time-out, and so is one that comes fast', () => {
  expect(endOf(() => 50_000)).toBe(61);
  expect(endOf(() => 1_000)).toBe(61);
  expect(endOf(() => 1_000_000)).toBe(61);
});

test('a body that stops coming, or as good as stops, is ended within 11 seconds of it', () => {
  expect(endOf(() => 0)).toBe(11);
  expect(endOf(() => 100)).toBe(11);
  expect(endOf((second) => (second <= 20 ? 50_000 : 0))).toBe(31);
});

test('a body may pause for less than that', () => {
  expect(endOf((second) => (second % 9 === 0 ? 10_000 : 0))).toBe(61);
});

test('a watch that was ended is not called', () => {
  const clock = new ArrivalClock(60_000);
  clock.watch({ received: 0 }, () => expect.unreachable())();
  clock.sweep(performance.now() + 61_000);
});
