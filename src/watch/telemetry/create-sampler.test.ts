import { expect, test } from 'bun:test';
import { RequestTrace } from '../../base/tracing/request-trace.ts';
import { createSampler } from './create-sampler.ts';

test('a share of traces is sampled by their ids unless the caller decides', () => {
  const ids = Array.from({ length: 2_000 }, () => new RequestTrace(undefined, () => true).traceId);
  const shareOf = (share: number) => {
    const sampler = createSampler({ parent: true, share });
    return ids.filter((id) => sampler(id, undefined)).length / ids.length;
  };
  expect(shareOf(0)).toBe(0);
  expect(shareOf(1)).toBe(1);
  expect(Math.abs(shareOf(0.3) - 0.3)).toBeLessThan(0.1);
  const caller = { traceId: ids[0]!, spanId: '00f067aa0ba902b7', state: '' };
  for (const [parent, share, isSampled, expected] of [
    [true, 0, true, true],
    [true, 1, false, false],
    [false, 0, true, false],
    [false, 1, false, true],
  ] as const)
    expect(createSampler({ parent, share })(ids[0]!, { ...caller, isSampled })).toBe(expected);
});
