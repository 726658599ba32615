import { expect, test } from 'bun:test';
import { countStatuses, goodput, percentile99, type Sample } from './samples.ts';

const sample = (dueMs: number, tookMs: number, status = 200): Sample => ({
  name: 'paid',
  dueMs,
  tookMs,
  status,
  queueMs: 0,
});

test('goodput counts answers in the time range, whenever they were requested', () => {
  const samples = [sample(0, 1_500), sample(900, 50), sample(1_900, 200), sample(1_200, 5, 503)];
  expect(goodput(samples, { fromMs: 1_000, untilMs: 2_000 })).toBe(1);
});

test('the percentile is the 99th of a hundred values, the last of a few, and 0 of none', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile99(values)).toBe(99);
  expect([percentile99([3, 1, 2]), percentile99([])]).toEqual([3, 0]);
});

test('counts answers by status, and requests without an answer', () => {
  expect(countStatuses([sample(0, 1), sample(0, 1), sample(0, 1, 503), sample(0, 1, 0)])).toBe(
    '2 × 200, 1 × 503, 1 × no answer',
  );
});
