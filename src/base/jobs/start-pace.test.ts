import { expect, test } from 'bun:test';
import { StartPace } from './start-pace.ts';

test('starts background work one item at a time until a second without live requests', () => {
  let now = 10_000;
  const pace = new StartPace(() => now);
  expect(pace.allowance()).toBe(Number.POSITIVE_INFINITY);
  pace.live();
  expect(pace.allowance()).toBe(1);
  pace.began();
  expect(pace.allowance()).toBe(0);
  expect(pace.waitMs).toBe(20);
  now += 20;
  expect(pace.allowance()).toBe(1);
  expect(pace.waitMs).toBe(0);
  now += 981;
  expect(pace.allowance()).toBe(Number.POSITIVE_INFINITY);
});
