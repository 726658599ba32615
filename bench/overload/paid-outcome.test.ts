import { expect, test } from 'bun:test';
import { compareOutcomes, paidOutcomeOf } from './paid-outcome.ts';
import type { Sample } from './samples.ts';

const sample = (fields: Partial<Sample>): Sample => ({
  name: 'paid',
  dueMs: 3_000,
  tookMs: 500,
  status: 200,
  queueMs: 10,
  ...fields,
});

test('quick refusals do not lower the 99th percentile', () => {
  const refusals = Array.from({ length: 200 }, () => sample({ tookMs: 1, queueMs: 0, status: 503 }));
  expect(paidOutcomeOf([sample({}), ...refusals])).toEqual({ p99Ms: 500, queueP99Ms: 10, unserved: 200 });
});

test('counts neither Free requests nor those before the queue has its length', () => {
  const others = [sample({ name: 'free', tookMs: 9_000 }), sample({ dueMs: 100, tookMs: 9_000 })];
  expect(paidOutcomeOf([sample({}), ...others]).p99Ms).toBe(500);
});

test.each([
  [600, 0, true],
  [601, 0, false],
  [500, 1, false],
])('a flooded 99th percentile of %d ms with %d unserved requests meets the goal: %p', (p99Ms, unserved, isMet) => {
  const alone = { p99Ms: 500, queueP99Ms: 0, unserved: 0 };
  expect(compareOutcomes(alone, { ...alone, p99Ms, unserved }).goal?.isMet).toBe(isMet);
});
