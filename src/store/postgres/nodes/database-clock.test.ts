import { expect, test } from 'bun:test';
import { DatabaseClock } from './database-clock.ts';

const still = async () => {};

test('the clock follows the database and never goes back', () => {
  let local = 0;
  const clock = new DatabaseClock(still, () => local);
  clock.read(1_000_000, { askedAt: 0, answeredAt: 0, aheadMs: 0 });
  local = 10_000;
  expect(clock.now()).toBe(1_010_000);
  clock.read(900_000, { askedAt: 10_000, answeredAt: 10_000, aheadMs: 0 });
  expect(clock.now()).toBe(1_010_000);
  clock.read(5_000_000, { askedAt: 10_000, answeredAt: 10_000, aheadMs: 0 });
  expect(clock.now()).toBe(5_000_000);
});

test('small differences between readings are smoothed', () => {
  const clock = new DatabaseClock(still, () => 0);
  clock.read(1_000, { askedAt: 0, answeredAt: 0, aheadMs: 0 });
  clock.read(1_020, { askedAt: 0, answeredAt: 0, aheadMs: 0 });
  expect(clock.now()).toBe(1_005);
});

test('a slow answer does not move the clock, unless it proves an error', () => {
  let local = 0;
  const clock = new DatabaseClock(still, () => local);
  clock.read(1_000_000, { askedAt: 0, answeredAt: 0, aheadMs: 0 });
  local = 6_000;
  for (const readAt of [0, 3_000, 6_000]) {
    clock.read(1_000_000 + readAt, { askedAt: 0, answeredAt: local, aheadMs: 0 });
    expect(Math.abs(clock.now() - 1_006_000)).toBeLessThanOrEqual(1);
  }
  clock.read(1_030_000, { askedAt: 0, answeredAt: local, aheadMs: 0 });
  expect(clock.now()).toBe(1_033_000);
});

test('time and spans go on after the database’s clock was set back', () => {
  let local = 1_000;
  const clock = new DatabaseClock(
    async () => {},
    () => local,
  );
  const read = (now: number, aheadMs = 0) => clock.read(now, { askedAt: local, answeredAt: local, aheadMs });
  read(10_000_000);
  const before = clock.now();
  const steadyBefore = clock.steady();
  read(9_400_000);
  local += 60_000;
  expect(clock.now() - before).toBe(30_000);
  expect(clock.steady() - steadyBefore).toBe(60_000);
  local += 1_140_000;
  expect(clock.now()).toBe(10_600_000);
  read(10_605_000, 5_000);
  expect(clock.steady() - steadyBefore).toBe(1_205_000);
});
