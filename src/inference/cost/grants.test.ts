import { expect, test } from 'bun:test';
import { bestGrants, fullGrants, leastGrants } from './grants.ts';
import type { Grant, HostedGroup } from './hosted-group.ts';

const groupOf = (fields: Partial<HostedGroup> = {}, tokens = 1_000): HostedGroup => ({
  key: 'search',
  tools: [],
  limit: 'max_uses',
  tokenLimit: undefined,
  calls: 10,
  isNeeded: false,
  call: { tokens, written: 0, fee: 0, advisor: undefined },
  ...fields,
});
/** Makes a credit for this many tokens of results. */
const paysFor = (tokens: number) => (grants: readonly Grant[]) =>
  grants.reduce((sum, grant) => sum + grant.calls * grant.tokens, 0) <= tokens;
const best = (groups: HostedGroup[], tokens: number) =>
  bestGrants(groups, paysFor(tokens))?.map(({ calls, tokens: each }) => [calls, each]);

test('grants each group the same number of the calls that the credit pays for [CRD-49]', () => {
  const groups = [groupOf(), groupOf({ calls: 3 })];
  expect(fullGrants(groups).map(({ calls }) => calls)).toEqual([10, 3]);
  expect(best(groups, 100_000)).toEqual([
    [10, 1_000],
    [3, 1_000],
  ]);
  expect(best(groups, 5_000)?.map(([calls]) => calls)).toEqual([3, 2]);
  expect(best(groups, 999)?.map(([calls]) => calls)).toEqual([0, 0]);
});

test('grants less content if a call with all of it is too dear [CRD-49]', () => {
  const fetch = groupOf({ tokenLimit: 'max_content_tokens' }, 25_000);
  expect(best([fetch], 60_000)).toEqual([[2, 25_000]]);
  expect(best([fetch], 12_000)).toEqual([[1, 12_000]]);
  expect(best([fetch], 4_999)).toEqual([[0, 25_000]]);
});

test('grants all calls or none if the vendor cannot limit them [CRD-49]', () => {
  const group = groupOf({ limit: undefined });
  expect(best([group], 10_000)).toEqual([[10, 1_000]]);
  expect(best([group], 9_999)).toEqual([[0, 1_000]]);
});

test('grants one call of a needed group at least [CRD-49]', () => {
  const groups = [groupOf({ isNeeded: true }), groupOf()];
  expect(leastGrants(groups).map(({ calls }) => calls)).toEqual([1, 0]);
  expect(best(groups, 1_000)?.map(([calls]) => calls)).toEqual([1, 0]);
  expect(best(groups, 999)).toBeUndefined();
  expect(leastGrants([groupOf({ isNeeded: true, limit: undefined })])[0]?.calls).toBe(10);
});
