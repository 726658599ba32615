import type { LedgerFault } from '../../../ledger/ledger-fault.ts';
import { AccountRecomputation } from '../../../ledger/recompute-account.ts';
import type { Connection } from '../connection.ts';
import { selectBuckets } from './buckets.ts';
import { selectEntriesAfter } from './entries.ts';
import { selectSpentByKey } from './usage-sums.ts';

/** About 2 ms of work: requests are served in between. */
const ENTRIES_AT_A_TIME = 300;

/**
 * Compares an account's balances and roll-ups with what its entries add up to. Entries are never changed, so that those which come
 * meanwhile are read in the end, in one turn with the balances that they are in.
 */
export async function verifyAccount(
  connection: Connection,
  accountId: string,
): Promise<{ entries: number; faults: LedgerFault[] }> {
  const recomputed = new AccountRecomputation(accountId);
  for (;;) {
    const from = { accountId, sequence: recomputed.sequence, limit: ENTRIES_AT_A_TIME };
    const entries = selectEntriesAfter(connection, from);
    for (const entry of entries) recomputed.take(entry);
    if (entries.length < ENTRIES_AT_A_TIME) break;
    await new Promise(setImmediate);
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
