import { expect, test } from 'bun:test';
import { retryDelayMs } from './retry-delay-ms.ts';

test('doubles the delay with each attempt, with some randomness, up to a minute', () => {
  const delays = [1, 2, 3, 4, 5].map((failures) => retryDelayMs({ failures }, () => 0));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(retryDelayMs({ failures: 1 }, () => 0.999)).toBe(625);
  expect(retryDelayMs({ failures: 30 }, () => 0.5)).toBe(60_000);
});

test('respects the delay that the upstream asks for, up to a limit', () => {
  expect(retryDelayMs({ failures: 1, retryAfterMs: 7_000 }, () => 0)).toBe(7_000);
  expect(retryDelayMs({ failures: 5, retryAfterMs: 7_000 }, () => 0)).toBe(8_000);
  expect(retryDelayMs({ failures: 1, retryAfterMs: 86_400_000 }, () => 0)).toBe(60_000);
});
