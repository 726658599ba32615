import { expect, test } from 'bun:test';
import { LatencyWindow } from './latency-window.ts';

test('computes percentiles of the latest 512 times', () => {
  const window = new LatencyWindow();
  expect(window.percentiles()).toBeNull();
  for (let latencyMs = 1; latencyMs <= 100; latencyMs++) window.take(latencyMs);
  expect(window.percentiles()).toEqual({ p50: 50, p95: 95, p99: 99 });
  for (let count = 0; count < 512; count++) window.take(7);
  expect(window.percentiles()).toEqual({ p50: 7, p95: 7, p99: 7 });
});
