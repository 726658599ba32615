import { nextTurn } from '../../../base/lib/next-turn.ts';
import type { ColumnDifference } from '../../../money/ledger/chain-check.ts';
import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import type { VerifiedAccount } from '../../../money/ledger/ledger-care.ts';
import { AccountReading } from '../../ledger/account-reading.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { StoreProblem } from '../../store-problem.ts';
import { selectBudgets } from '../budgets/select-budgets.ts';
import type { Queries } from '../queries.ts';
import { compareAccountRows, takeHolds } from './compare-account-rows.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';
import { type PostgresEntryRow, selectEntriesBefore } from './postgres-entry-rows.ts';
import { SEGMENT_REMEDY } from './segment-source-of.ts';
import { selectPostgresSegments } from './select-postgres-segments.ts';

/** About 5 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 500;

export type PostgresAccountQuestion = { archive: PostgresArchive; accountId: string; upTo: number };

/**
 * Compares an account's derived data with its entries. The queries must belong to a transaction with one
 * snapshot. Entries are read once, in pages, and none is kept.
 */
export async function verifyPostgresAccount(
  queries: Queries,
  question: PostgresAccountQuestion,
): Promise<VerifiedAccount & { unreadable: string | undefined }> {
  const { accountId, upTo } = question;
  const expected = new ExpectedRows(postgresDerivedTables, await selectBudgets(queries, accountId));
  const reading = new AccountReading({ accountId, expected, upTo });
  await readAccount(queries, question, reading);
  await takeHolds(queries, accountId, expected);
  return reading.verified(await compareAccountRows(queries, accountId, expected));
}

/** Reads all entries of an account in one snapshot. Returns the end of its chain. */
export async function readAccount(
  queries: Queries,
  { archive, accountId }: PostgresAccountQuestion,
  reading: AccountReading,
): Promise<ChainHead> {
  for (const segment of await selectPostgresSegments(queries))
    await reading.takeArchived(archive.fileOf(queries, segment).rowsOf(accountId), {
      what: `segment ${segment.id}`,
      isLost: (error) => error instanceof StoreProblem && error.hint === SEGMENT_REMEDY,
    });
  const archived = reading.chain.end.number;
  let newer: PostgresEntryRow | undefined;
  for (let rows: PostgresEntryRow[], sequence: number | undefined; ; sequence = newer.sequence) {
    const page = { accountId, sequence, limit: ENTRIES_AT_A_TIME, archived };
    rows = await selectEntriesBefore(queries, page);
    for (const row of rows) reading.take(row, (entry) => differencesOf(row, entry));
    newer = rows.at(-1);
    if (rows.length < ENTRIES_AT_A_TIME || !newer) break;
    await nextTurn();
  }
  reading.chain.endPiece();
  return reading.end();
}

/** Returns the columns apart from the text that follow from it, and the order of numbers. */
function differencesOf(row: PostgresEntryRow, entry: WrittenEntry | undefined): ColumnDifference[] {
  const differences: ColumnDifference[] = [];
  const compare = (what: string, recorded: number, recomputed: number) => {
    if (recorded !== recomputed) differences.push({ what, recorded, recomputed });
  };
  if (entry) compare('column sequence', row.sequence, entry.sequence);
  if (entry) compare('column at', row.at, entry.at);
  if (row.number <= row.previous)
    differences.push({ what: 'number', recorded: row.number, recomputed: `after ${row.previous}` });
  return differences;
}
