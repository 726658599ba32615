import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { sampleEntry, sampleReceipt } from '../../store/testing/conformance/sample-ledger.ts';
import type { Entry, EntryKind, Receipt } from './entry.ts';
import { formatEntry, readEntry } from './entry-text.ts';
import { UnreadableEntry } from './refuse-unreadable.ts';

const MAX_COUNT = Number.MAX_SAFE_INTEGER;
const count = fc.oneof(fc.constantFrom(0, 1, 1e15, MAX_COUNT), fc.nat({ max: MAX_COUNT }));
/** Values that no endpoint accepts, but a bug could produce. */
const strange = fc.oneof(
  fc.double(),
  fc.constantFrom(2 ** 53, -(2 ** 53), 1e16, 1e300, Number.NaN, Infinity, -0),
);
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\ud800', '\u2028', '\0'));

const receipt: fc.Arbitrary<Receipt> = fc.record({
  keyId: text,
  requestId: text,
  model: text,
  servedModel: text,
  tokens: fc.record({
    input: count,
    cachedInput: count,
    cacheWriteInput: count,
    output: count,
    reasoning: count,
  }),
  rates: fc.record({ input: count, cachedInput: count, output: count }),
  heldMicrocredits: count,
  attempts: count,
  tried: fc.array(fc.record({ provider: text, model: text, outcome: text }), { maxLength: 2 }),
  outcome: fc.constantFrom('complete', 'left', 'recovered'),
  isEstimated: fc.boolean(),
});
const mostlyCount = fc.oneof({ arbitrary: count, weight: 5 }, { arbitrary: strange, weight: 1 });
const name = text.filter((value) => value !== '');
const amount = fc.oneof(
  mostlyCount,
  count.map((value) => -value),
);

const entry: fc.Arbitrary<Entry> = fc.record({
  id: name,
  accountId: name,
  at: mostlyCount,
  period: name,
  kind: fc.constantFrom<EntryKind>('usage', 'grant', 'purchase', 'renewal', 'adjustment'),
  microcredits: amount,
  receipt: fc.option(receipt),
  reason: fc.option(text),
});

test('every entry is either refused or reads back unchanged [CRD-48]', () => {
  let written = 0;
  fc.assert(
    fc.property(entry, mostlyCount, (given, sequence) => {
      let kept: string;
      try {
        kept = formatEntry(given, sequence);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableEntry);
        expect([given.at, given.microcredits, sequence].every(Number.isSafeInteger)).toBe(false);
        return;
      }
      written += 1;
      // JSON does not distinguish -0 from 0.
      const plain = JSON.parse(JSON.stringify({ ...given, sequence, hash: 'x' }));
      expect(readEntry({ id: given.id, text: kept, hash: 'x' })).toEqual(plain);
    }),
    { seed: 20_261_121, numRuns: 2_000 },
  );
  expect(written).toBeGreaterThan(500);
});

const sample = sampleEntry({ id: 'ent_1', kind: 'usage', receipt: sampleReceipt() });

for (const part of ['tokens', 'rates'] as const)
  for (const value of [Number.NaN, Infinity, -1, 0.5, 2 ** 53])
    test(`refuses a receipt with ${value} among its ${part} [CRD-48]`, () => {
      const given = {
        ...sample,
        receipt: { ...sample.receipt!, [part]: { ...sample.receipt![part], output: value } },
      };
      expect(() => formatEntry(given, 1)).toThrow(UnreadableEntry);
    });

test('reads an unsafe amount only in a renewal, as the largest safe amount [CRD-48]', () => {
  const read = (kind: string, written: string) =>
    readEntry({ id: 'ent_1', text: `["acct_1",1,1,"${kind}","cycle-1",${written},null,null]`, hash: '' })
      ?.microcredits;
  for (const written of ['1e16', '10000000000000000', '1e+300', 'null']) {
    expect(read('renewal', written)).toBe(MAX_COUNT);
    expect(['usage', 'grant', 'purchase', 'adjustment'].map((kind) => read(kind, written))).toEqual(
      Array(4).fill(undefined),
    );
  }
  for (const written of ['"5"', '0.5', '-1e300', '[]', 'true'])
    expect(read('renewal', written)).toBeUndefined();
});
