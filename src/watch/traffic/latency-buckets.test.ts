import { expect, test } from 'bun:test';
import { addFormatted, addLatency, formatLatencies, percentilesOf } from './latency-buckets.ts';

const nearest = (sorted: readonly number[], rank: number): number =>
  sorted[Math.max(1, Math.ceil(rank * sorted.length)) - 1]!;

test('percentiles of merged texts are within 5 % of the exact ones', () => {
  const times = Array.from({ length: 5_000 }, (_, index) => 0.2 * 1.003 ** index);
  const texts = [0, 1, 2].map((part) => {
    const buckets = new Map<number, number>();
    for (const [index, ms] of times.entries()) if (index % 3 === part) addLatency(buckets, ms);
    return formatLatencies(buckets);
  });
  const merged = new Map<number, number>();
  addFormatted(merged, texts.join(' '));
  const { p50, p95, p99 } = percentilesOf(merged);
  for (const [found, rank] of [
    [p50, 0.5],
    [p95, 0.95],
    [p99, 0.99],
  ] as const)
    expect(Math.abs(found! / nearest(times, rank) - 1)).toBeLessThan(0.05);
});

test.each(['', ' '])('the text "%s" adds no duration', (text) => {
  const buckets = new Map<number, number>();
  addFormatted(buckets, text);
  expect(buckets.size).toBe(0);
});

test('there are no percentiles without durations', () => {
  expect(percentilesOf(new Map())).toEqual({ p50: null, p95: null, p99: null });
});
