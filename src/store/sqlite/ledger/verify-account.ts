import { nextTurn } from '../../../base/lib/next-turn.ts';
import type { VerifiedAccount } from '../../../money/ledger/ledger-care.ts';
import { AccountReading } from '../../ledger/account-reading.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { derivedTables } from './derived-tables.ts';
import { selectChainPiece } from './entries.ts';
import { selectHead } from './heads.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import { RowComparison } from './row-comparison.ts';
import type { RunningSums } from './running-sums.ts';

/** About 2 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 300;

export type AccountQuestion = {
  connection: SqliteConnection;
  sums: RunningSums;
  archive: LedgerArchive;
  accountId: string;
  /** Entries up to this number are counted separately. */
  upTo: number;
};

/**
 * Compares an account's derived data with its entries. Entries are read once, from the newest on, and none is
 * kept. Entries written meanwhile are read at the end, in one step with the rows that they changed.
 */
export async function verifyAccount(
  question: AccountQuestion,
): Promise<VerifiedAccount & { unreadable: string | undefined }> {
  const { connection, sums, archive, accountId, upTo } = question;
  const budgets = sums.budgets.of(accountId);
  const reading = new AccountReading({ accountId, expected: new ExpectedRows(derivedTables, budgets), upTo });
  for (const segment of archive.segments)
    await reading.takeArchived(archive.fileOf(segment).rowsOf(accountId), {
      what: `file ${segment.file}`,
      isLost: (error) => error instanceof StoreProblem,
    });
  await catchUp(question, reading);
  const comparison = new RowComparison(connection, accountId, reading.expected);
  for (const _ of comparison.look()) await nextTurn();
  await catchUp(question, reading);
  // The comparison runs in one step from here on.
  for (const _ of readNew(question, reading));
  const isSameRule = sums.budgets.of(accountId) === budgets;
  return reading.verified(comparison.faults(isSameRule ? undefined : 'budget_spend'));
}

/** Reads the entries after the last one read, until few can have been added meanwhile. */
async function catchUp(question: AccountQuestion, reading: AccountReading): Promise<void> {
  for (let isBehind = true; isBehind; ) {
    isBehind = false;
    for (const _ of readNew(question, reading)) {
      isBehind = true;
      await nextTurn();
    }
  }
}

/** Reads from the current end of the chain. The caller pauses at each yield. */
function* readNew(
  { connection, sums, accountId }: AccountQuestion,
  reading: AccountReading,
): Generator<void> {
  const { chain } = reading;
  sums.write(accountId);
  const head = selectHead(connection, accountId);
  if (head.number !== chain.end.number) {
    const behind = chain.end.number;
    for (let from = head.number; ; yield) {
      const rows = selectChainPiece(connection, { from, behind, limit: ENTRIES_AT_A_TIME });
      for (const row of rows) reading.take(row);
      if (rows.length < ENTRIES_AT_A_TIME) break;
      from = rows.at(-1)!.previous;
    }
    chain.endPiece();
  }
  reading.end(head.sequence);
}
