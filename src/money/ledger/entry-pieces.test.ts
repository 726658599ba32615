import { expect, test } from 'bun:test';
import { sampleOrder, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import type { Receipt } from './entry.ts';
import { entryPieces, receiptPieces } from './entry-pieces.ts';
import { formatEntry } from './entry-text.ts';

const order = sampleOrder();
const { receipt: plain } = samplePosting({ order, microcredits: 5 }, 7);
const line = { dimension: 'web_search', model: null, count: 3, rate: 5_000, of: null };
const detail = { lines: [line], factors: [['fast', 6] as const] };

const receipts: Receipt[] = [
  plain,
  { ...plain, isSimulated: true },
  { ...plain, isImplausible: true },
  { ...plain, detail },
  { ...plain, isImplausible: true, detail },
  { ...plain, priceRow: 'peak' },
  { ...plain, isSimulated: true, detail, priceRow: 'peak' },
];

test.each(
  receipts.map((receipt) => [Object.keys(receipt).slice(-2).join(), receipt] as const),
)('the pieces that a database joins are the text of the entry: %s', (_, receipt) => {
  const entry = {
    id: 'ent_1',
    accountId: 'acct_1',
    at: order.at,
    kind: 'usage' as const,
    period: 'cycle-1',
    microcredits: 7,
    receipt,
    reason: null,
  };
  const [before, between] = entryPieces(entry);
  const { charged, flags } = receiptPieces(receipt, entry.at);
  const unbounded = `${before}3${between}7,null,${charged}${flags === '' ? '' : `,null${flags}`}]]`;
  expect(unbounded).toBe(formatEntry(entry, 3));
  const bounded = { ...receipt, shortfall: { listCostMicrocredits: 9, bound: 'key-cap' as const } };
  const text = `${before}3${between}7,null,${charged},[9,"key-cap",0]${flags}]]`;
  expect(text).toBe(formatEntry({ ...entry, receipt: bounded }, 3));
});
