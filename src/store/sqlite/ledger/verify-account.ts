import type { Budget } from '../../../money/budgets/budget.ts';
import { ChainCheck } from '../../../money/ledger/check-chain.ts';
import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { VerifiedAccount } from '../../../money/ledger/ledger-store.ts';
import type { Head } from '../../ledger/chain-head.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { SqliteConnection } from '../connection.ts';
import { RowComparison } from './compare-rows.ts';
import { derivedTables } from './derived-tables.ts';
import { type EntryRow, selectChainPiece } from './entries.ts';
import { selectHead } from './heads.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { RunningSums } from './running-sums.ts';

/** About 2 ms of work. Requests are served in between. */
const ENTRIES_AT_A_TIME = 300;

export type AccountQuestion = {
  connection: SqliteConnection;
  sums: Pick<RunningSums, 'write' | 'budgets'>;
  archive: LedgerArchive;
  accountId: string;
  /** Entries up to this number are counted separately. */
  upTo: number;
};

/**
 * Compares an account's derived data with its entries. Entries are read once, from the newest on, and none is kept. Entries written
 * meanwhile are read at the end, in one step with the rows that they changed.
 */
export async function verifyAccount(
  question: AccountQuestion,
): Promise<VerifiedAccount & { unreadable: string | undefined }> {
  const { budgets: rules } = question.sums;
  const budgets = rules.of(question.accountId);
  const reading = new AccountReading(question, budgets);
  await reading.readArchive();
  await reading.catchUp();
  const comparison = new RowComparison(question.connection, question.accountId, reading.expected);
  for (const _ of comparison.look()) await pause();
  await reading.catchUp();
  reading.readRest();
  const { chain, counted } = reading;
  return {
    entries: chain.entries,
    counted,
    unreadable: chain.damaged.find((row) => !readEntry(row))?.id,
    faults: [
      ...reading.faults,
      ...chain.faults,
      ...comparison.faults(rules.of(question.accountId) === budgets ? undefined : 'budget_spend'),
    ],
  };
}

class AccountReading {
  readonly #question: AccountQuestion;
  readonly chain: ChainCheck;
  readonly expected: ExpectedRows;
  readonly faults: LedgerFault[] = [];
  counted = 0;

  constructor(question: AccountQuestion, budgets: readonly Budget[]) {
    this.#question = question;
    this.expected = new ExpectedRows(derivedTables, budgets);
    this.chain = new ChainCheck(question.accountId);
  }

  /** Reads the archived entries, which the others follow. */
  async readArchive(): Promise<void> {
    const { archive, accountId } = this.#question;
    for (const segment of archive.segments) {
      try {
        for await (const rows of archive.file(segment).rowsOf(accountId))
          for (const row of rows) this.#take(row);
      } catch (error) {
        if (!(error instanceof StoreProblem)) throw error;
        this.faults.push({
          accountId,
          what: `file ${segment.file}`,
          recorded: 'whole',
          recomputed: 'unreadable',
        });
      }
      this.chain.endPiece();
    }
  }

  /** Reads the entries after the last one read, until few can have been added meanwhile. */
  async catchUp(): Promise<void> {
    for (let isBehind = true; isBehind; ) {
      isBehind = false;
      for (const _ of this.#piece()) {
        isBehind = true;
        await pause();
      }
    }
  }

  /** Must run in one step with the comparison. */
  readRest(): void {
    for (const _ of this.#piece());
  }

  /** Reads from the current end of the chain. The caller pauses at each yield. */
  *#piece(): Generator<void> {
    const { chain, expected } = this;
    const { connection, sums, accountId } = this.#question;
    sums.write(accountId);
    const head: Head = selectHead(connection, accountId);
    if (head.number !== chain.end.number) {
      const behind = chain.end.number;
      for (let from = head.number; ; yield) {
        const rows = selectChainPiece(connection, { from, behind, limit: ENTRIES_AT_A_TIME });
        for (const row of rows) this.#take(row);
        if (rows.length < ENTRIES_AT_A_TIME) break;
        from = rows.at(-1)!.previous;
      }
      chain.endPiece();
    }
    const { number, hash, sequence } = chain.end;
    if (number > 0) expected.endAt({ number, hash, sequence: sequence ?? head.sequence });
  }

  #take(row: EntryRow): void {
    const entry = readEntry(row);
    this.chain.take(row, entry);
    if (row.number <= this.#question.upTo) this.counted += 1;
    if (entry) this.expected.take(entry);
    else this.expected.takeUnreadable(row.id);
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
