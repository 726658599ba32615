import { expect, test } from 'bun:test';
import type { TrafficQuestion } from '../watch/traffic/traffic-store.ts';
import { canUseMerged, partsOf } from './merged-traffic.ts';

const year: TrafficQuestion = {
  step: 'day',
  cut: 'accounts',
  from: 104,
  to: 469,
  every: 8,
  groupBy: 'account',
  where: {},
};
const parts = (asked: Partial<TrafficQuestion>, mergedTo = 460) =>
  partsOf({ ...year, ...asked }, mergedTo).map(({ step, from, to }) => [step, from, to]);

test('a question about a year reads merged days, and the days that are not merged yet', () => {
  expect(parts({})).toEqual([
    [4, 13, 57],
    [2, 456, 469],
  ]);
  expect(parts({ from: 101, to: 203, every: null })).toEqual([
    [2, 101, 104],
    [4, 13, 25],
    [2, 200, 203],
  ]);
  expect(parts({ cut: 'whole', groupBy: 'node', every: 4 })).toEqual([
    [3, 26, 115],
    [2, 460, 469],
  ]);
});

test.each([
  ['hours', { step: 'hour' }],
  ['intervals that are shorter', { every: 4 }],
  ['details, which are not merged', { cut: 'details' }],
  ['intervals that begin elsewhere', { from: 101 }],
  ['a span without a whole period', { from: 101, to: 107, every: null }],
  ['nodes, which merged accounts do not have', { groupBy: 'node' }],
  ['requests of a node', { where: { node: 'n' } }],
] as const)('a question about %s reads no merged days', (_, asked) => {
  const question = { ...year, ...asked };
  expect(parts(asked)).toEqual([[question.step === 'day' ? 2 : 1, question.from, question.to]]);
  expect(canUseMerged(question)).toBe(false);
});

test('nothing is read from merged days before the first merge', () => {
  expect(parts({}, 0)).toEqual([[2, 104, 469]]);
  expect(canUseMerged(year)).toBe(true);
});
