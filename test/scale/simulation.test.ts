import { expect, test } from 'bun:test';
import { measured } from './service-times.ts';
import { type SimulationOrder, simulate } from './simulation.ts';

const order: SimulationOrder = {
  nodes: 10,
  accounts: 10_000,
  requestsPerSecond: 2_000,
  databases: 1,
  cores: 4,
  answerMs: 100,
  hotShare: 0,
  forMs: 1_000,
  seed: 1,
  times: measured,
};

test('a database below its capacity serves every request, and adds at least its round trips', () => {
  const report = simulate(order);
  expect(report.kept).toBeGreaterThan(0.95);
  expect(report.addedP50Ms).toBeGreaterThan(2 * measured.roundTripMs + measured.flushMs);
});

test('a saturated database falls behind, and more databases carry the same load', () => {
  const busy = { ...order, requestsPerSecond: 40_000 };
  expect(simulate(busy).kept).toBeLessThan(0.9);
  expect(simulate({ ...busy, databases: 8 }).kept).toBeGreaterThan(0.95);
});

test('an account that gets a tenth of the load waits for its own lock', () => {
  expect(simulate({ ...order, hotShare: 0.1 }).addedP99Ms).toBeGreaterThan(simulate(order).addedP99Ms);
});

test('the same seed gives the same report', () => {
  expect(simulate(order)).toEqual(simulate(order));
});
