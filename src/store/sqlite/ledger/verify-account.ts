import type { LedgerFault } from '../../../ledger/ledger-fault.ts';
import { AccountRecomputation, keyMonthName } from '../../../ledger/recompute-account.ts';
import type { Connection } from '../connection.ts';
import { selectBuckets } from './buckets.ts';
import { selectNumbered, selectNumbers } from './entries.ts';
import { selectHead } from './heads.ts';
import { selectKeyExcesses } from './key-excess.ts';
import type { RunningSums } from './running-sums.ts';
import { selectSpentByKey } from './usage-sums.ts';

/** About 2 ms of work: requests are served in between. */
const ENTRIES_AT_A_TIME = 300;

/**
 * Compares an account's balances and roll-ups with what its entries add up to. Entries are never changed, so that those which come
 * meanwhile are read in the end, in one turn with the balances that they are in.
 */
export async function verifyAccount(
  connection: Connection,
  sums: RunningSums,
  accountId: string,
): Promise<{ entries: number; faults: LedgerFault[] }> {
  const recomputed = new AccountRecomputation(accountId);
  let last = 0;
  for (let isEnd = false; !isEnd; ) {
    sums.write(accountId);
    const head = selectHead(connection, accountId).number;
    const numbers = await numbersBetween(connection, last, head);
    isEnd = numbers.length < ENTRIES_AT_A_TIME;
    for (const [index, number] of numbers.entries()) {
      recomputed.take(selectNumbered(connection, number));
      if (index % ENTRIES_AT_A_TIME === ENTRIES_AT_A_TIME - 1) await new Promise(setImmediate);
    }
    last = head;
  }
  const buckets = selectBuckets(connection, accountId);
  const faults = recomputed.compare({
    used: new Map(buckets.map(({ period, used }) => [period, used])),
    granted: new Map(buckets.map(({ period, granted }) => [period, granted])),
    spent: new Map(selectSpentByKey(connection, { accountId, table: 'usage_hour' })),
    spentByDay: new Map(selectSpentByKey(connection, { accountId, table: 'usage_day' })),
    beyondCap: new Map(
      selectKeyExcesses(connection, accountId).map(({ keyId, month, microcredits }) => [
        keyMonthName(keyId, month),
        microcredits,
      ]),
    ),
  });
  return { entries: recomputed.entries, faults };
}

/** Of the account's entries behind one up to another, oldest first. Without a pause where they are few. */
async function numbersBetween(connection: Connection, behind: number, last: number): Promise<number[]> {
  const numbers: number[] = [];
  for (let from = last; ; ) {
    const piece = selectNumbers(connection, { from, behind, limit: ENTRIES_AT_A_TIME });
    for (const { number } of piece) numbers.push(number);
    if (piece.length < ENTRIES_AT_A_TIME) return numbers.reverse();
    from = piece.at(-1)!.previous;
    await new Promise(setImmediate);
  }
}
