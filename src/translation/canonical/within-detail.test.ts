import { expect, test } from 'bun:test';
import type { Usage } from './usage.ts';
import type { SeparateTokens, UsageDetail } from './usage-detail.ts';
import { withinDetail } from './within-detail.ts';

const most = () => ({ input: 1_000 });
const usageWith = (detail?: UsageDetail): Usage => ({
  input: { uncached: 1 },
  output: { visible: 1 },
  ...(detail && { detail }),
});
const compaction = (input: number, cachedInput: number, output: number): SeparateTokens => ({
  kind: 'compaction',
  isIncluded: false,
  input,
  cachedInput,
  output,
});

test('a possible detail stays as it is', () => {
  for (const usage of [
    usageWith(),
    usageWith({ counts: { web_search: 500 }, separate: [compaction(900, 100, 1_000)] }),
  ])
    expect(withinDetail(usage, most)).toBe(usage);
});

test('an impossible detail is cut and marked', () => {
  const reported = usageWith({ counts: { web_search: 90_000 }, separate: [compaction(5_000, 9, 7_000)] });
  expect(withinDetail(reported, most)).toMatchObject({
    isImplausible: true,
    detail: { counts: { web_search: 500 }, separate: [{ input: 1_000, cachedInput: 0, output: 1_000 }] },
  });
});
