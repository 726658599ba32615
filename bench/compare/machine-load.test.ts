import { expect, test } from 'bun:test';
import { foreignShareOf, MachineLoad, parseCpuTimes } from './machine-load.ts';

test('counts user, system and stolen time as busy, and neither waiting nor interrupts', () => {
  const stat = 'cpu  100 10 50 800 20 5 15 7 0 0\ncpu0 50 5 25 400 10 2 7 3 0 0\n';
  expect(parseCpuTimes(stat)).toEqual({ busyUs: 1_670_000, totalUs: 10_070_000 });
});

test('subtracts the time of the benchmark itself, and is never negative', () => {
  const before = { busyUs: 0, totalUs: 0, ownUs: 0 };
  expect(foreignShareOf(before, { busyUs: 60_000, totalUs: 100_000, ownUs: 35_000 })).toBe(0.25);
  expect(foreignShareOf(before, { busyUs: 30_000, totalUs: 100_000, ownUs: 35_000 })).toBe(0);
});

test('reads the counters of this machine', () => {
  const share = new MachineLoad().foreignShare();
  expect(share).toBeGreaterThanOrEqual(0);
  expect(share).toBeLessThanOrEqual(1);
});
