import { expect, test } from 'bun:test';
import { ArrivalClock } from './arrival-clock.ts';

/** A whole number, so that differences between the times of sweeps are exact. */
const wholeMs = (): number => Math.floor(performance.now());

/** Returns the second at which a body with this pace is ended. */
function endOf(bytesPerSecond: (second: number) => number): number | undefined {
  const clock = new ArrivalClock(60_000);
  const start = wholeMs();
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

test('reads a body until the time limit, whether it arrives slowly or fast', () => {
  expect(endOf(() => 50_000)).toBe(61);
  expect(endOf(() => 1_000)).toBe(61);
  expect(endOf(() => 1_000_000)).toBe(61);
});

test('gives a larger body a multiple of the time limit', () => {
  const clock = new ArrivalClock(60_000);
  const start = wholeMs();
  const arrival = { received: 0 };
  const ended: number[] = [];
  let second = 0;
  clock.watch(arrival, () => ended.push(second), 3);
  for (second = 1; second <= 300; second++) {
    arrival.received += 50_000;
    clock.sweep(start + second * 1_000);
  }
  expect(ended).toEqual([181]);
});

test('ends a body within 11 seconds after it stops or nearly stops', () => {
  expect(endOf(() => 0)).toBe(11);
  expect(endOf(() => 100)).toBe(11);
  expect(endOf((second) => (second <= 20 ? 50_000 : 0))).toBe(31);
});

test('allows a body to pause for less than that', () => {
  expect(endOf((second) => (second % 9 === 0 ? 10_000 : 0))).toBe(61);
});

test('does not call a watch that has ended', () => {
  const clock = new ArrivalClock(60_000);
  clock.watch({ received: 0 }, () => expect.unreachable()).end();
  clock.sweep(performance.now() + 61_000);
});

test('time in which the gateway takes nothing of a body does not count', () => {
  const clock = new ArrivalClock(60_000);
  let isLate = false;
  const watch = clock.watch({ received: 0 }, () => {
    isLate = true;
  });
  watch.pause();
  clock.sweep(performance.now() + 600_000);
  expect(isLate).toBe(false);
  watch.resume();
  clock.sweep(performance.now() + 11_000);
  expect(isLate).toBe(true);
});
