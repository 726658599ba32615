import type { LedgerFault } from '../../../ledger/ledger-fault.ts';
import { AccountRecomputation } from '../../../ledger/recompute-account.ts';
import type { Connection } from '../connection.ts';
import { selectBuckets } from './buckets.ts';
import { selectEntriesAfter } from './entries.ts';
import { selectSpentByKey } from './usage-sums.ts';

const ENTRIES_AT_A_TIME = 1_000;

/** Compares an account's balances and roll-ups with what its entries add up to. */
export function verifyAccount(
  connection: Connection,
  accountId: string,
): { entries: number; faults: LedgerFault[] } {
  const recomputed = new AccountRecomputation(accountId);
  for (;;) {
    const from = { accountId, sequence: recomputed.entries, limit: ENTRIES_AT_A_TIME };
    const entries = selectEntriesAfter(connection, from);
    for (const entry of entries) recomputed.take(entry);
    if (entries.length < ENTRIES_AT_A_TIME) break;
  }
  const buckets = selectBuckets(connection, accountId);
  const faults = recomputed.compare({
    used: new Map(buckets.map(({ period, used }) => [period, used])),
    granted: new Map(buckets.map(({ period, granted }) => [period, granted])),
    spent: new Map(selectSpentByKey(connection, { accountId, table: 'usage_hour' })),
    spentByDay: new Map(selectSpentByKey(connection, { accountId, table: 'usage_day' })),
  });
  return { entries: recomputed.entries, faults };
}
