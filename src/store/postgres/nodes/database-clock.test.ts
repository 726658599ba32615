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

test('time goes on after the database’s clock was set back, and spans do not notice it', () => {
  let local = 1_000;
  const clock = new DatabaseClock(
    async () => {},
    () => local,
  );
  const read = (now: number, aheadMs = 0) => clock.read(now, { askedAt: local, answeredAt: local, aheadMs });
  read(10_000_000);
  const [before, steadyBefore] = [clock.now(), clock.steady()];
  read(9_400_000);
  local += 60_000;
  expect(clock.now() - before).toBe(30_000);
  expect(clock.steady() - steadyBefore).toBe(60_000);
  local += 1_140_000;
  expect(clock.now()).toBe(10_600_000);
  read(10_605_000, 5_000);
  expect(clock.steady() - steadyBefore).toBe(1_205_000);
});
