import { describe, expect, mock, test } from 'bun:test';
import type { Account } from '../../money/accounts/account.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { formatStatementCsv } from './format-statement-csv.ts';
import { formatStatementPage } from './format-statement-page.ts';
import { type StatementLedger, Statements } from './statements.ts';

const account = { id: 'acct_1', name: 'Ada' } as Account;
const MAY = Date.UTC(2026, 4, 15);
const JUNE = Date.UTC(2026, 5, 15);

type Listed = Partial<WrittenEntry> & Pick<WrittenEntry, 'at' | 'kind'>;

/** A ledger with these entries, latest written first. */
function ledgerOf(listed: readonly Listed[]): StatementLedger {
  const items = listed.map(
    (entry, index): WrittenEntry => ({
      id: `ent_${index}`,
      accountId: account.id,
      period: 'purchased',
      microcredits: 1_000_000,
      receipt: null,
      reason: null,
      sequence: listed.length - index,
      hash: '',
      ...entry,
    }),
  );
  const places = new Map(items.map(({ id }, index) => [id, index]));
  return {
    async listEntries({ after, limit }) {
      const start = after === undefined ? 0 : places.get(after)! + 1;
      return { items: items.slice(start, start + limit), hasMore: start + limit < items.length };
    },
    sumUsage: async () => [],
  };
}

/** A ledger with these numbers of purchases in May and of requests in June. */
const ledgerWith = ({ requests, purchases }: { requests: number; purchases: number }): StatementLedger =>
  ledgerOf([
    ...Array.from({ length: requests }, () => ({ at: JUNE, kind: 'usage' as const, microcredits: 1 })),
    ...Array.from({ length: purchases }, () => ({ at: MAY, kind: 'purchase' as const })),
  ]);

const statementOf = (ledger: StatementLedger, month: string) =>
  new Statements(ledger).make({ account, month, client: new AbortController().signal });

test('the statement of an earlier month has its purchase, whatever was used since', async () => {
  const statement = await statementOf(ledgerWith({ requests: 200_000, purchases: 1 }), '2026-05');
  expect(statement.entries).toMatchObject([{ kind: 'purchase', credits: 1 }]);
  expect(statement.missingBefore).toBeNull();
  expect(formatStatementPage(statement, 'Tollgate')).not.toContain('not listed');
});

test('a statement with more entries than it shows says from which time on it has them', async () => {
  const statement = await statementOf(ledgerWith({ requests: 0, purchases: 10_001 }), '2026-05');
  expect(statement).toMatchObject({ missingBefore: MAY + 1 });
  expect(statement.entries).toHaveLength(10_000);
  const time = new Date(MAY + 1).toISOString();
  expect(formatStatementPage(statement, 'Tollgate')).toContain(`Entries before ${time}`);
  expect(formatStatementCsv(statement)).toContain(`${time},incomplete,`);
});

describe('the entries of a month behind an entry with an earlier time are in its statement', () => {
  const APRIL = Date.UTC(2026, 3, 20);
  const NOON = Date.UTC(2026, 4, 1, 12);
  const receipt = { endedAt: NOON } as Receipt;
  const cases: Record<string, Listed> = {
    'a renewal that was entered with the first request of its period': { at: APRIL, kind: 'renewal' },
    'usage that was admitted in the previous month': { at: APRIL, kind: 'usage', receipt },
    'usage that a stopped server wrote from its spool': {
      at: APRIL,
      kind: 'usage',
      receipt: { ...receipt, endedAt: APRIL },
    },
  };
  test.each(Object.entries(cases))('%s', async (_, early) => {
    const later = Array.from({ length: 600 }, () => ({ at: NOON, kind: 'usage', receipt }) as const);
    const purchase = { at: NOON - 1, kind: 'purchase' } as const;
    const statement = await statementOf(ledgerOf([early, ...later, purchase]), '2026-05');
    expect(statement.entries).toMatchObject([{ kind: 'purchase' }]);
    expect(statement.missingBefore).toBeNull();
  });

  test('a whole spool of requests from before the month', async () => {
    const late = Array.from({ length: 12_000 }, () => ({ at: APRIL, kind: 'usage' }) as const);
    const listed = [...late, { at: NOON, kind: 'purchase' } as const];
    expect((await statementOf(ledgerOf(listed), '2026-05')).entries).toHaveLength(1);
  });
});

test('the statement says how many entries cannot be read and lists the others', async () => {
  const unreadable = { at: 0, kind: 'adjustment', isUnreadable: true } as const;
  const purchase = { at: MAY, kind: 'purchase' } as const;
  const listed = [...Array.from({ length: 501 }, () => unreadable), purchase];
  const statement = await statementOf(ledgerOf(listed), '2026-05');
  expect(statement).toMatchObject({ entries: [{ kind: 'purchase' }], unreadable: 501 });
  expect(formatStatementPage(statement, 'Tollgate')).toContain('501 entries of the account cannot be read.');
  expect(formatStatementCsv(statement)).toContain('2026-05,incomplete,,,,,,"501 entries of the account');
});

test('the entries before a grant from before the month are not read', async () => {
  const ledger = ledgerWith({ requests: 0, purchases: 50_000 });
  const listEntries = mock(ledger.listEntries);
  const statement = await statementOf({ ...ledger, listEntries }, '2026-06');
  expect({ entries: statement.entries, missingBefore: statement.missingBefore }).toEqual({
    entries: [],
    missingBefore: null,
  });
  expect(listEntries).toHaveBeenCalledTimes(1);
});

test('a statement lists its entries by time', async () => {
  const listed: Listed[] = [
    { at: MAY - 2, kind: 'renewal' },
    { at: MAY, kind: 'purchase' },
    { at: MAY - 4, kind: 'grant' },
  ];
  const { entries } = await statementOf(ledgerOf(listed), '2026-05');
  expect(entries.map(({ kind }) => kind)).toEqual(['grant', 'renewal', 'purchase']);
});

test('a renewal that a statement leaves out hides no entry with a later time', async () => {
  const grants = Array.from({ length: 10_000 }, () => ({ at: MAY, kind: 'grant' }) as const);
  const listed: Listed[] = [...grants, { at: MAY - 20, kind: 'renewal' }, { at: MAY - 10, kind: 'purchase' }];
  expect((await statementOf(ledgerOf(listed), '2026-05')).missingBefore).toBe(MAY - 9);
});

test('reading ends for the next statement when the client leaves', async () => {
  const client = new AbortController();
  const ledger = ledgerWith({ requests: 5_000, purchases: 1 });
  let reads = 0;
  const statements = new Statements({
    ...ledger,
    listEntries(page) {
      if (++reads === 2) client.abort();
      return ledger.listEntries(page);
    },
  });
  const left = statements.make({ account, month: '2026-05', client: client.signal });
  const next = statements.make({ account, month: '2026-05', client: new AbortController().signal });
  expect({ entries: (await left).entries, reads }).toEqual({ entries: [], reads: 2 });
  expect((await next).entries).toHaveLength(1);
});
