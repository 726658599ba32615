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
