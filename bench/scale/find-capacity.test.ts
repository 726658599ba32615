import { expect, test } from 'bun:test';
import { defaultOrder } from './default-order.ts';
import { findBottleneck, findCapacity } from './find-capacity.ts';

const times = {
  gate: { fixedMs: 1, eachMs: 0.1 },
  settle: { fixedMs: 1, eachMs: 0.1 },
  flushMs: 1,
  logBytes: 1_000,
  nodeMs: 0.2,
};
const order = { ...defaultOrder, nodes: 8, accounts: 1_000, cores: 1, answerMs: 20, times };
const bound = { addedP99Ms: 100 };

test('one core is the limit of a small database: at most a group of 64 in the time of two statements', () => {
  const { requestsPerSecond, bottleneck } = findCapacity(order, bound);
  const most = (64 / (2 * (1 + 64 * 0.1))) * 1_000;
  expect(requestsPerSecond).toBeGreaterThan(0.4 * most);
  expect(requestsPerSecond).toBeLessThanOrEqual(most);
  expect(bottleneck).toBe('databaseCores');
});

test('with a large database the cores of the nodes are the limit', () => {
  const slow = { ...order, nodes: 2, cores: 64, times: { ...times, nodeMs: 0.5 } };
  const { requestsPerSecond, bottleneck } = findCapacity(slow, bound);
  expect(requestsPerSecond).toBeLessThanOrEqual(4_000);
  expect(requestsPerSecond).toBeGreaterThan(3_800);
  expect(bottleneck).toBe('nodeCores');
});

test('names the busiest resource', () => {
  const loads = { databaseCores: 0.4, databaseLog: 0.9, busiestAccount: 0, nodeGroups: 0.2, nodeCores: 0.5 };
  expect(findBottleneck(loads)).toBe('databaseLog');
});
