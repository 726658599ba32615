import { expect, test } from 'bun:test';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { entryReceipt, entryReceiptView } from './entry-receipt-view.ts';

const receipt: Receipt = {
  keyId: 'key_1',
  requestId: 'req_1',
  model: 'm',
  servedModel: 'm',
  tokens: { input: 7, cachedInput: 2, cacheWriteInput: 1, output: 3, reasoning: 1 },
  rates: { input: 0, cachedInput: 0, output: 0 },
  heldMicrocredits: 0,
  attempts: 1,
  tried: [{ provider: 'p', model: 'm', outcome: 'answered' }],
  outcome: 'complete',
  isEstimated: false,
  isSimulated: true,
  detail: { lines: [], factors: [] },
};
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
