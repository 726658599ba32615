import type { Budget } from '../../../money/budgets/budget.ts';
import { ChainCheck, type ColumnDifference } from '../../../money/ledger/check-chain.ts';
import type { WrittenEntry } from '../../../money/ledger/entry.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { VerifiedAccount } from '../../../money/ledger/ledger-store.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { StoreProblem } from '../../store-problem.ts';
import { selectBudgets } from '../budgets/select-budgets.ts';
import type { Queries } from '../database.ts';
import { compareAccountRows, takeHolds } from './compare-account-rows.ts';
import { type PostgresArchive, SEGMENT_REMEDY, selectPostgresSegments } from './postgres-archive.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';
import { type PostgresEntryRow, selectEntriesBefore } from './postgres-entry-rows.ts';

/** About 5 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 500;

export type PostgresAccountQuestion = { archive: PostgresArchive; accountId: string; upTo: number };
type Rules = { budgets: readonly Budget[]; mostDamaged?: number };

/**
 * Compares an account's derived data with its entries. The queries must belong to a transaction with one snapshot. Entries are read once,
 * in pages, and none is kept.
 */
export async function verifyPostgresAccount(
  queries: Queries,
  question: PostgresAccountQuestion,
): Promise<VerifiedAccount & { unreadable: string | undefined }> {
  const { accountId } = question;
  const budgets = await selectBudgets(queries, accountId);
  const reading = new PostgresAccountReading(queries, question, { budgets });
  await reading.readAll();
  const { chain, expected, counted } = reading;
  await takeHolds(queries, accountId, expected);
  const differences = await compareAccountRows(queries, accountId, expected);
  return {
    entries: chain.entries,
    counted,
    unreadable: chain.damaged.find((row) => !readEntry(row))?.id,
    faults: [...reading.faults, ...chain.faults, ...differences],
  };
}

/** Reads all entries of an account in one snapshot. */
export class PostgresAccountReading {
  readonly #queries: Queries;
  readonly #question: PostgresAccountQuestion;
  readonly chain: ChainCheck;
  readonly expected: ExpectedRows;
  readonly faults: LedgerFault[] = [];
  counted = 0;

  constructor(queries: Queries, question: PostgresAccountQuestion, { budgets, mostDamaged }: Rules) {
    this.#queries = queries;
    this.#question = question;
    this.expected = new ExpectedRows(postgresDerivedTables, budgets);
    this.chain = new ChainCheck(question.accountId, mostDamaged === undefined ? {} : { mostDamaged });
  }

  async readAll(): Promise<void> {
    await this.#readArchive();
    const archived = this.chain.end.number;
    const { accountId } = this.#question;
    let newer: PostgresEntryRow | undefined;
    for (let rows: PostgresEntryRow[], sequence: number | undefined; ; sequence = newer.sequence) {
      const page = { accountId, sequence, limit: ENTRIES_AT_A_TIME, archived };
      rows = await selectEntriesBefore(this.#queries, page);
      for (const row of rows) {
        const entry = readEntry(row);
        this.#count(row);
        this.chain.take(row, entry, differencesOf(row, entry));
        if (entry) this.expected.take(entry, row);
        else this.expected.takeUnreadable(row.id);
        newer = row;
      }
      if (rows.length < ENTRIES_AT_A_TIME || !newer) break;
      await new Promise(setImmediate);
    }
    this.chain.endPiece();
    const { number, hash, sequence = 0 } = this.chain.end;
    if (number > 0) this.expected.endAt({ number, hash, sequence });
  }

  async #readArchive(): Promise<void> {
    const { archive, accountId } = this.#question;
    for (const segment of await selectPostgresSegments(this.#queries)) {
      try {
        for await (const rows of archive.file(this.#queries, segment).rowsOf(accountId))
          for (const row of rows) {
            const entry = readEntry(row);
            this.#count(row);
            this.chain.take(row, entry);
            if (entry) this.expected.take(entry);
            else this.expected.takeUnreadable(row.id);
          }
      } catch (error) {
        if (!(error instanceof StoreProblem) || error.hint !== SEGMENT_REMEDY) throw error;
        const what = `segment ${segment.id}`;
        this.faults.push({ accountId, what, recorded: 'whole', recomputed: 'unreadable' });
      }
      this.chain.endPiece();
    }
  }

  #count({ number }: { number: number }): void {
    if (number <= this.#question.upTo) this.counted += 1;
  }
}

/** The columns beside the text that follow from it, and the order of numbers. */
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
