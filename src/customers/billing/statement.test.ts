import { expect, test } from 'bun:test';
import type { Account } from '../../money/accounts/account.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { formatStatementCsv } from './format-statement-csv.ts';
import { formatStatementPage } from './format-statement-page.ts';
import { makeStatement } from './statement.ts';

const account = { id: 'acct_1', name: 'Ada' } as Account;
const MAY = Date.UTC(2026, 4, 15);
const JUNE = Date.UTC(2026, 5, 15);

/** A ledger with a purchase in May and this number of requests in June. */
function ledgerWith(requests: number): Pick<LedgerStore, 'listEntries' | 'sumUsage'> {
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
      const end = Math.min(start + limit, requests + 1);
      return {
        items: Array.from({ length: end - start }, (_, index) => entry(start + index)),
        hasMore: end <= requests,
      };
    },
    sumUsage: async () => [],
  } as unknown as Pick<LedgerStore, 'listEntries' | 'sumUsage'>;
}

test('the statement of an earlier month has its purchase, whatever was used since', async () => {
  const statement = await makeStatement(ledgerWith(20_000), account, '2026-05');
  expect(statement.entries).toMatchObject([{ kind: 'purchase', credits: 1 }]);
  expect(statement.missingBefore).toBeNull();
  expect(formatStatementPage(statement, 'Tollgate')).not.toContain('not listed');
});

test('a statement that lacks entries says from which time on it has them', async () => {
  const statement = await makeStatement(ledgerWith(60_000), account, '2026-05');
  expect(statement).toMatchObject({ entries: [], missingBefore: Date.UTC(2026, 5, 1) });
  expect(formatStatementPage(statement, 'Tollgate')).toContain('Entries before 2026-06-01T00:00:00.000Z');
  expect(formatStatementCsv(statement)).toContain('2026-06-01T00:00:00.000Z,incomplete,');
});
