import { expect, test } from 'bun:test';
import { zoneLoss } from './zone-loss.ts';

const order = { nodes: 99, databases: 6, zones: 3, requestsPerSecond: 90_000, answerMs: 2_000 };

test('a zone of three takes a third of the answers under way, and of the databases until they have failed over', () => {
  const loss = zoneLoss({ ...order, failoverMs: 15_000, closingMs: 10_000 });
  expect(loss).toEqual({ brokenAnswers: 60_000, refusedRequests: 450_000, nodeLoad: 1.5, heldMs: 25_000 });
});
