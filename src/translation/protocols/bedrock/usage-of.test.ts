import { expect, test } from 'bun:test';
import { usageOf } from './usage-of.ts';

const counts = { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 0, cacheWriteInputTokens: 400 };

test('usage has the cache writes with a longer lifetime apart', () => {
  const cacheDetails = [
    { ttl: '1h', inputTokens: 300 },
    { ttl: '5m', inputTokens: 100 },
  ];
  expect(usageOf({ ...counts, cacheDetails })).toEqual({
    input: { uncached: 10, cacheRead: 0, cacheWrite: 400 },
    output: { visible: 5 },
    detail: { counts: { cache_write_1h: 300 } },
  });
});

test('usage without such writes has no detail', () => {
  for (const cacheDetails of [undefined, [], [{ ttl: '5m', inputTokens: 400 }]])
    expect(usageOf({ ...counts, cacheDetails })!.detail).toBeUndefined();
});
