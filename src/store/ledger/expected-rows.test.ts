import { expect, test } from 'bun:test';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { dayOf } from '../../money/ledger/token-day.ts';
import { sampleEntry, sampleOrder, samplePosting, sampleTime } from '../testing/conformance/sample-ledger.ts';
import { ExpectedRows } from './expected-rows.ts';

const usage = (fields: Partial<WrittenEntry> = {}): WrittenEntry => ({
  ...sampleEntry({ kind: 'usage', period: 'cycle-1', microcredits: 10 }),
  sequence: 1,
  hash: '',
  receipt: {
    ...samplePosting({ order: sampleOrder(), microcredits: 0 }, 10).receipt,
    beyondCapMicrocredits: 4,
  },
  ...fields,
});

test('amounts are cut to the columns of each table, and unknown tables are left out', () => {
  const rows = new ExpectedRows([
    { name: 'bucket', key: ['period'], values: ['granted', 'used'] },
    { name: 'key_excess', key: ['key_id', 'month'], values: ['microcredits'] },
    { name: 'token_day', key: [], values: ['day', 'tokens'] },
  ]);
  for (let times = 0; times < 2; times++) rows.take(usage());
  expect([...rows.of('bucket').values()]).toEqual([{ key: ['cycle-1'], values: [0, 20] }]);
  expect([...rows.of('key_excess').values()]).toEqual([{ key: ['key_1', Date.UTC(2026, 0)], values: [8] }]);
});

test("a key's month counts charges up to the cap, and what open holds reserve", () => {
  const rows = new ExpectedRows([
    { name: 'key_month', key: ['key_id', 'month'], values: ['used', 'held'] },
    { name: 'token_day', key: [], values: ['day', 'tokens'] },
  ]);
  rows.take(usage());
  rows.holdCap('key_1', '2026-01', 30);
  expect([...rows.of('key_month').values()]).toEqual([{ key: ['key_1', '2026-01'], values: [6, 30] }]);
});

test('an entry that is not rolled up counts in the day of tokens and in no hour', () => {
  const rows = new ExpectedRows([
    { name: 'usage_hour', key: ['hour', 'key_id', 'model'], values: ['requests'] },
    { name: 'token_day', key: [], values: ['day', 'tokens'] },
  ]);
  rows.take(usage(), { isRolledUp: false });
  expect(rows.of('usage_hour').size).toBe(0);
  expect(rows.of('token_day').get('')?.values).toEqual([dayOf(sampleTime), 10]);
});
