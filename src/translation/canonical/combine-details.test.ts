import { expect, test } from 'bun:test';
import { addDetails, mergeDetails } from './combine-details.ts';
import type { UsageDetail } from './usage-detail.ts';

const ofSearches = (web_search: number): UsageDetail => ({ counts: { web_search } });
const compaction = { kind: 'compaction', isIncluded: false, input: 9, cachedInput: 0, output: 1 } as const;

test('details of two answers to one request are added, what they meter included', () => {
  const spoken = (character: number): UsageDetail => ({ metered: { counts: { character } } });
  expect(addDetails(ofSearches(2), ofSearches(3))).toEqual(ofSearches(5));
  expect(addDetails({ separate: [compaction] }, { separate: [compaction] })?.separate).toHaveLength(2);
  expect(addDetails({ factors: ['fast'] }, { factors: ['fast', 'flex'] })).toEqual({
    factors: ['fast', 'flex'],
  });
  expect(addDetails(spoken(10), spoken(10))).toEqual(spoken(20));
  expect(addDetails(spoken(10), ofSearches(1))).toEqual({ ...spoken(10), ...ofSearches(1) });
  expect(addDetails(undefined, spoken(10))).toEqual(spoken(10));
});

test('of two cumulative reports of one answer, the larger counts and the later list are taken', () => {
  expect(mergeDetails(ofSearches(3), ofSearches(2))).toEqual(ofSearches(3));
  expect(mergeDetails({ separate: [compaction] }, ofSearches(1))?.separate).toEqual([compaction]);
  expect(mergeDetails({ separate: [compaction] }, { separate: [compaction] })?.separate).toEqual([
    compaction,
  ]);
});
