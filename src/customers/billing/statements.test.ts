import { expect, test } from 'bun:test';
import type { Account } from '../../money/accounts/account.ts';
import { formatStatementCsv } from './format-statement-csv.ts';
import { formatStatementPage } from './format-statement-page.ts';
import { type StatementLedger, Statements } from './statements.ts';

const account = { id: 'acct_1', name: 'Ada' } as Account;
const MAY = Date.UTC(2026, 4, 15);
const JUNE = Date.UTC(2026, 5, 15);

/** A ledger with these numbers of purchases in May and of requests in June. */
function ledgerWith({ requests, purchases }: { requests: number; purchases: number }): StatementLedger {
  const entries = requests + purchases;
  const entry = (index: number) => ({
    ...(index < requests
      ? { at: JUNE, kind: 'usage', microcredits: 1 }
      : { at: MAY, kind: 'purchase', microcredits: 1_000_000 }),
    id: `ent_${index}`,
    period: 'purchased',
    reason: null,
  });
  return {
    async listEntries({ after, limit }: { after?: string | undefined; limit: number }) {
      const start = after === undefined ? 0 : Number(after.slice('ent_'.length)) + 1;
      const end = Math.min(start + limit, entries);
      return {
        items: Array.from({ length: end - start }, (_, index) => entry(start + index)),
        hasMore: end < entries,
      };
    },
    sumUsage: async () => [],
  } as unknown as StatementLedger;
}

const statementOf = (ledger: ReturnType<typeof ledgerWith>, month: string) =>
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

test('reading ends when the client leaves, and the next statement is made then', async () => {
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
  expect([(await left).entries, reads]).toEqual([[], 2]);
  expect((await next).entries).toHaveLength(1);
});
