import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../base/lib/units.ts';
import { AccountBook } from '../../../money/ledger/account-book.ts';
import { calendarMonth } from '../../../money/ledger/calendar-month.ts';
import { formatEntry, type KeptEntry, readEntry } from '../../../money/ledger/entry-text.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import {
  sampleEntry,
  sampleOrder,
  samplePeriod,
  samplePosting,
  sampleTime,
} from '../../testing/conformance/sample-ledger.ts';
import { ledgerFaults, openNodes } from '../testing/ledger-for-test.ts';
import type { PostgresLedger } from './postgres-ledger.ts';

const { database, nodes, close } = await openNodes(2);
afterAll(() => close());

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('hold', 'hold', 'hold', 'post', 'post', 'void', 'give'),
    index: fc.nat({ max: 30 }),
    amount: fc.integer({ min: 0, max: 700 }),
    least: fc.integer({ min: 0, max: 200 }),
    isPurchased: fc.boolean(),
    isCapped: fc.boolean(),
    hasDayLimit: fc.boolean(),
    days: fc.integer({ min: 0, max: 40 }),
  }),
  { minLength: 1, maxLength: 30 },
);

let runs = 0;

test('the book in SQL decides and charges like the book in memory', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const accountId = `acct_book_${++runs}`;
      // The book forgets earlier months without holds, and reads them again.
      const spent = new Map<string, number>();
      const book = new AccountBook({
        bucket: () => ({ granted: 0, used: 0 }),
        spent: (keyId, { startsAt }) => spent.get(`${keyId} ${startsAt}`) ?? 0,
        dayTokens: () => ({ day: 0, tokens: 0 }),
        budgets: () => [],
        bins: () => [],
      });
      const open: [Hold, Hold, PostgresLedger][] = [];
      for (const { kind, index, amount, ...step } of sequence) {
        const { ledger } = nodes[index % 2]!;
        const taken = open.length > 0 ? open[index % open.length]! : undefined;
        if (kind === 'give') {
          const entry = sampleEntry({ accountId, microcredits: amount + 1 });
          expect(await ledger.give(entry)).toBe(book.canGive(PURCHASED, amount + 1));
          book.bucket(PURCHASED).granted += amount + 1;
        } else if (kind === 'hold') {
          const order = sampleOrder({
            accountId,
            keyId: `key_${runs}_${index % 2}`,
            pays: step.isPurchased ? 'purchased' : 'monthly',
            period: samplePeriod({ limitMicrocredits: 1_500 }),
            keyCapMicrocredits: step.isCapped ? 900 : null,
            worst: index % 5 === 0 ? null : { least: step.least, most: step.least + amount },
            tokensPerDay: step.hasDayLimit ? 25 : null,
            at: sampleTime + step.days * DAY_MS,
          });
          const expected = book.affordableHold(order);
          expect(await ledger.afford(order)).toEqual(expected);
          const held = await ledger.hold(order);
          const microcredits = book.hold(order);
          expect('shortage' in held ? held : held.microcredits).toEqual(microcredits);
          if ('shortage' in held || typeof microcredits !== 'number') continue;
          open.push([held, { order, microcredits }, ledger]);
        } else if (taken) {
          open.splice(open.indexOf(taken), 1);
          const [held, theirs, owner] = taken;
          if (kind === 'void') {
            await owner.void(held);
            book.void(theirs);
            continue;
          }
          const charged = book.charge(theirs, amount);
          book.post(theirs, { ...charged, tokens: 10 });
          const { order } = theirs;
          spent.set(`${order.keyId} ${calendarMonth(order.at).startsAt}`, book.spentOf(order));
          await owner.post(samplePosting(held, amount));
          const [entry] = (await ledger.listEntries({ accountId, limit: 1 }))!.items;
          expect(entry?.microcredits).toEqual(charged.microcredits);
          expect(entry?.receipt?.shortfall?.bound ?? null).toEqual(charged.bound);
          expect(entry?.receipt?.beyondCapMicrocredits ?? 0).toBe(
            charged.microcredits - charged.keyMicrocredits,
          );
        }
      }
      expect(await ledgerFaults(database, accountId)).toEqual([]);
    }),
    { numRuns: 30, seed: 11 },
  );
}, 60_000);

test('the text of an entry from the database equals the formatted one', async () => {
  const { ledger } = nodes[0]!;
  const receipts = [{}, { isImplausible: true }, { isSimulated: true }, { outputCeiling: null }];
  for (const [index, fields] of receipts.entries())
    for (const cost of [10, 5_000]) {
      const accountId = `acct_text_${index}_${cost}`;
      await ledger.give(sampleEntry({ accountId, microcredits: 100 }));
      const hold = await ledger.hold(
        sampleOrder({ accountId, pays: 'purchased', worst: { least: 1, most: 50 } }),
      );
      const posting = samplePosting(hold as Hold, cost);
      await ledger.post({
        ...posting,
        receipt: { ...posting.receipt, ...fields, model: 'a "b" \u0001 é 😀' },
      });
      const row = await database.first(
        'SELECT id, text, hash FROM entry WHERE account_id = $1 AND sequence = 2',
        [accountId],
      );
      const { sequence, hash: _, ...entry } = readEntry(row as KeptEntry)!;
      expect(formatEntry(entry, sequence)).toBe(String(row!.text));
    }
});
