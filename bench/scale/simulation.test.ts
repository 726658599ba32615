import { expect, test } from 'bun:test';
import { defaultOrder } from './default-order.ts';
import { simulate } from './simulation.ts';
import type { SimulationOrder } from './simulation-order.ts';

const order: SimulationOrder = {
  ...defaultOrder,
  nodes: 10,
  accounts: 10_000,
  requestsPerSecond: 2_000,
  databases: 1,
  cores: 4,
  answerMs: 100,
  hotShare: 0,
  forMs: 1_000,
  seed: 1,
  times: {
    gate: { fixedMs: 0.86, eachMs: 0.044 },
    settle: { fixedMs: 0.96, eachMs: 0.06 },
    flushMs: 2.4,
    logBytes: 850,
    nodeMs: 0.25,
  },
};

test('a database below its capacity serves every request, and adds at least its round trips', () => {
  const report = simulate(order);
  expect(report.kept).toBeGreaterThan(0.95);
  expect(report.addedP50Ms).toBeGreaterThan(2 * order.roundTripMs + order.times.flushMs);
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

test('accounts that are routed to the nodes of their database make larger groups', () => {
  const spread = { ...order, nodes: 16, databases: 8, requestsPerSecond: 20_000 };
  const routed = simulate({ ...spread, isRouted: true });
  expect(routed.groupSize).toBeGreaterThan(1.5 * simulate(spread).groupSize);
  expect(routed.kept).toBeGreaterThan(0.95);
});

test('reports how busy each resource is', () => {
  const { loads } = simulate({ ...order, hotShare: 1 });
  expect(loads.nodeCores).toBe(0.05);
  expect(loads.databaseLog).toBeCloseTo((2_000 * 850) / 500e6, 3);
  expect(loads.busiestAccount).toBeGreaterThan(0.8);
  expect(simulate(order).loads.busiestAccount).toBeLessThan(0.1);
});
