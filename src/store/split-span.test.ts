import { expect, test } from 'bun:test';
import type { TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { mergedKindFor, splitSpan } from './split-span.ts';

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
  splitSpan({ ...year, ...asked }, mergedTo).map(({ merged, from, to }) => [
    merged ? merged.number : 'days',
    from,
    to,
  ]);

test('a question about a year reads merged days, and the days that are not merged yet', () => {
  expect(parts({})).toEqual([
    [1, 13, 57],
    ['days', 456, 469],
  ]);
  expect(parts({ from: 101, to: 203, every: null })).toEqual([
    ['days', 101, 104],
    [1, 13, 25],
    ['days', 200, 203],
  ]);
  expect(parts({ cut: 'whole', groupBy: 'node', every: 4 })).toEqual([
    [0, 26, 115],
    ['days', 460, 469],
  ]);
});

test.each([
  ['one model', { where: { model: 'm' } }, 13],
  ['one provider', { where: { provider: 'p' } }, 10],
  ['one status', { where: { status: '4xx' } }, 11],
  ['one source', { where: { source: 'batch' } }, 12],
  ['one model and status', { where: { model: 'm', status: '4xx' } }, 13],
  ['the statuses of a key', { groupBy: 'status', where: { key: 'k' } }, 11],
] as const)('a question about accounts and %s reads the merged days with these columns', (_, asked, kind) => {
  expect(mergedKindFor({ ...year, cut: 'details', ...asked })?.number).toBe(kind);
});

test('a question about accounts and a node reads merged days of nodes', () => {
  expect(mergedKindFor({ ...year, where: { node: 'n' } })?.number).toBe(14);
  expect(mergedKindFor({ ...year, groupBy: 'node' })?.number).toBe(14);
});

test.each([
  ['hours', { step: 'hour' }],
  ['intervals that are shorter', { every: 4 }],
  ['details of an account, which have an index', { cut: 'details', where: { account: 'a', model: 'm' } }],
  ['intervals that begin elsewhere', { from: 101 }],
  ['a span without a whole period', { from: 101, to: 107, every: null }],
  ['a model of a node', { cut: 'details', where: { node: 'n', model: 'm' } }],
] as const)('a question about %s reads no merged days', (_, asked) => {
  const question = { ...year, ...asked };
  expect(parts(asked)).toEqual([['days', question.from, question.to]]);
  expect(mergedKindFor(question)).toBeUndefined();
});

test('nothing is read from merged days before the first merge', () => {
  expect(parts({}, 0)).toEqual([['days', 104, 469]]);
  expect(mergedKindFor(year)?.number).toBe(1);
});
