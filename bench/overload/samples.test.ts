import { expect, test } from 'bun:test';
import { goodput, type Sample } from './samples.ts';

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
