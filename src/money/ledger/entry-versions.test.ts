import { expect, test } from 'bun:test';
import { sampleOrder, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import type { Entry, Receipt } from './entry.ts';
import { formatEntry, readEntry } from './entry-text.ts';
import { hashEntry } from './hash-entry.ts';
import { listCostOf } from './list-cost-of.ts';

const order = sampleOrder();
const { endpoint, endedAt, outputCeiling, ...earlier } = samplePosting({ order, microcredits: 5 }, 7).receipt;
const entryWith = (receipt: Receipt | null): Entry => ({
  id: 'ent_1',
  accountId: 'acct_1',
  at: order.at,
  kind: 'usage',
  period: 'cycle-1',
  microcredits: 7,
  receipt,
  reason: null,
});
const readBack = (entry: Entry) => readEntry({ id: entry.id, text: formatEntry(entry, 3), hash: 'x' });

/** An entry as the first version wrote it. */
const OLD_TEXT =
  '["acct_1",4,1769862600000,"usage","cycle-1",420000,null,["key_1","req_1","@svc/test-small","@svc/test-small",' +
  '[1000,400,0,50,20],[500000000,50000000,2000000000],0,1,' +
  '[{"provider":"one","model":"upstream-small","outcome":"answered"}],"complete",false]]';

test('a usage entry reads back as written', () => {
  const shortfall = { listCostMicrocredits: 9, bound: 'key-cap' } as const;
  const search = { dimension: 'web_search', model: null, count: 3, rate: 5_000_000_000_000, of: null };
  const advisor = { dimension: 'advisor', model: 'big', count: 7, rate: 500_000, of: 'output' } as const;
  const detail = { lines: [search, advisor], factors: [] };
  const receipts: Receipt[] = [
    { ...earlier, endpoint, endedAt, outputCeiling },
    { ...earlier, endpoint, endedAt: order.at, outputCeiling: null, outcome: 'failed' },
    { ...earlier, endpoint, endedAt, outputCeiling, shortfall },
    { ...earlier, endpoint, endedAt, outputCeiling, beyondCapMicrocredits: 6 },
    { ...earlier, shortfall }, // spooled by an earlier version
    { ...earlier, endpoint, endedAt, outputCeiling, isImplausible: true },
    { ...earlier, endpoint, endedAt, outputCeiling, shortfall, isImplausible: true },
    { ...earlier, endpoint, endedAt, outputCeiling, isSimulated: true },
    { ...earlier, endpoint, endedAt, outputCeiling, isImplausible: true, isSimulated: true },
    { ...earlier, endpoint, endedAt, outputCeiling, beyondCapMicrocredits: 6, isSimulated: true },
    { ...earlier, endpoint, endedAt, outputCeiling, detail },
    { ...earlier, endpoint, endedAt, outputCeiling, shortfall, detail, isImplausible: true },
    { ...earlier, endpoint, endedAt, outputCeiling, detail: { lines: [], factors: [['fast', 6]] } },
    earlier,
  ];
  for (const receipt of receipts) {
    const entry = entryWith(receipt);
    expect(readBack(entry)).toEqual({ ...entry, sequence: 3, hash: 'x' });
  }
});

test('an entry of an earlier version reads back with its hash', () => {
  const hash = hashEntry('', 'ent_1', OLD_TEXT);
  expect(hash).toBe('a658f2d9f7ff9a4b8336ef331c4523e6eb43ae15ba2d7c9f9c07bfee3c5ed20c');
  const entry = readEntry({ id: 'ent_1', text: OLD_TEXT, hash });
  expect(entry).toMatchObject({ sequence: 4, microcredits: 420_000, receipt: { outcome: 'complete' } });
  expect(Object.keys(entry?.receipt ?? {})).toHaveLength(11);
});

test('computes the list cost of an entry of an earlier version from its tokens and rates [CRD-42]', () => {
  const { receipt } = readEntry({ id: 'ent_1', text: OLD_TEXT, hash: '' })!;
  expect(listCostOf({ microcredits: 420_000 }, receipt!)).toBe(420_000);
  expect(listCostOf({ microcredits: 1 }, receipt!)).toBe(420_000);
});
