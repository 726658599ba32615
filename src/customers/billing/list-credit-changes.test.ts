import { expect, test } from 'bun:test';
import type { EntryKind, WrittenEntry } from '../../money/ledger/entry.ts';
import { listCreditChanges } from './list-credit-changes.ts';

/** Newest first, as the ledger lists them. */
const rows: [kind: EntryKind, period: string, microcredits: number][] = [
  ['usage', 'purchased', 30],
  ['usage', 'cycle-2', 7],
  ['usage', 'purchased', 20],
  ['adjustment', 'purchased', -50],
  ['renewal', 'cycle-2', 1_000],
  ['usage', 'purchased', 100],
  ['purchase', 'purchased', 500],
];
const entries = rows.map(
  ([kind, period, microcredits], index): WrittenEntry => ({
    id: `ent_${index}`,
    accountId: 'acct_1',
    at: 1_000 - index,
    kind,
    period,
    microcredits,
    receipt: null,
    reason: null,
    sequence: rows.length - index,
    hash: '',
  }),
);
const ledger = {
  async listEntries({ after, limit }: { after?: string | undefined; limit: number }) {
    const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
    return { items: entries.slice(start, start + limit), hasMore: start + limit < entries.length };
  },
};
const ask = (
  limit: { entries: number; lines: number; ms?: number },
  from?: { after: string; purchasedMicrocredits: number },
) => listCreditChanges({ ledger }, { accountId: 'acct_1', purchasedMicrocredits: 300, limit, ...from });

test('the balance after each line is counted back from the present one to zero', async () => {
  const { lines, next } = await ask({ entries: 100, lines: 100 });
  const shown = lines.map((line) => [
    line.kind === 'usage' ? `${line.balance} ${line.requests} ${line.microcredits}` : line.entry.kind,
    line.purchasedMicrocredits,
  ]);
  expect(shown).toEqual([
    ['purchased 2 50', 300],
    ['monthly 1 7', 330],
    ['adjustment', 350],
    ['renewal', 400],
    ['purchased 1 100', 400],
    ['purchase', 500],
  ]);
  expect(next).toBeNull();
});

test('pages continue with the balance of the page before', async () => {
  const first = await ask({ entries: 100, lines: 3 });
  expect(first.next).toEqual({ after: 'ent_3', purchasedMicrocredits: 400 });
  const second = await ask({ entries: 100, lines: 3 }, first.next!);
  expect(second.lines.map(({ purchasedMicrocredits }) => purchasedMicrocredits)).toEqual([400, 400, 500]);
});

test('a page that ends when its time is up is continued by the next one', async () => {
  let read = 0;
  const long = {
    async listEntries({ limit }: { limit: number }) {
      const items = Array.from({ length: limit }, (_, index) => ({
        ...entries[0]!,
        id: `ent_${read + index}`,
      }));
      read += limit;
      return { items, hasMore: true };
    },
  };
  const query = {
    accountId: 'acct_1',
    purchasedMicrocredits: 9_000_000,
    limit: { entries: 5_000, lines: 9, ms: 150 },
  };
  const { lines, next } = await listCreditChanges({ ledger: long, now: () => read / 10 }, query);
  expect(lines).toMatchObject([{ kind: 'usage', requests: 1_500 }]);
  expect(next).toEqual({ after: 'ent_1499', purchasedMicrocredits: 9_000_000 + 1_500 * 30 });
});
