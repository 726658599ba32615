import { expect, test } from 'bun:test';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { sampleReceipt } from '../../store/testing/conformance/sample-ledger.ts';
import { entryReceipt, entryReceiptView } from './entry-receipt-view.ts';

const receipt = sampleReceipt({ isSimulated: true, detail: { lines: [], factors: [] } });
const entry: WrittenEntry = {
  id: 'ent_1',
  accountId: 'acct_1',
  at: 0,
  kind: 'usage',
  period: 'purchased',
  microcredits: 0,
  receipt,
  reason: null,
  sequence: 1,
  hash: '',
};

test('the description of a receipt for operators names each of its fields, for a simulated answer too', () => {
  const view = entryReceiptView(entry, receipt);
  expect(view).toMatchObject({ simulated: true, prices: expect.any(Array) });
  expect(Object.keys(view).filter((name) => !(name in entryReceipt.properties))).toEqual([]);
});
