import { nextTurn } from '../../../base/lib/next-turn.ts';
import { OneByOne } from '../../../base/lib/one-by-one.ts';
import type {
  ArchivedEntries,
  LedgerCare,
  Quarantine,
  RepairedAccount,
  RepairOrder,
  VerifiedAccount,
} from '../../../money/ledger/ledger-care.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { sqliteProblem, withSqliteProblems } from '../sqlite-problem.ts';
import type { Books } from './books.ts';
import type { Deliveries } from './deliveries.ts';
import { EntryArchiver } from './entry-archiver.ts';
import { EntryWrite } from './entry-write.ts';
import { selectLedgerAccounts } from './heads.ts';
import { removeBrokenHolds } from './hold-rows.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import { type Quarantines, sealQuarantines } from './quarantines.ts';
import { planRepair, writeRepair } from './repair-plan.ts';
import type { RunningSums } from './running-sums.ts';
import { verifyAccount } from './verify-account.ts';
import { verifySegments } from './verify-segments.ts';
import { verifyStore } from './verify-store.ts';

export type CareParts = {
  connection: SqliteConnection;
  writer: GroupCommitWriter;
  sums: RunningSums;
  books: Books;
  archive: LedgerArchive;
  deliveries: Deliveries;
  quarantines: Quarantines;
};

/** Verifies and repairs the ledger while requests are served. */
export class SqliteLedgerCare implements LedgerCare {
  readonly #parts: CareParts;
  readonly #archiver: EntryArchiver;
  /** An account's entries must not move while they are read as a whole. */
  readonly #readings = new OneByOne();
  #isArchiving = false;

  constructor(parts: CareParts) {
    this.#parts = parts;
    this.#archiver = new EntryArchiver(parts);
  }

  async ledgerAccounts({
    limit,
    after = '',
  }: {
    limit: number;
    after?: string | undefined;
  }): Promise<string[]> {
    const { connection, sums } = this.#parts;
    return withSqliteProblems(connection.path, () => {
      sums.writeAll();
      return selectLedgerAccounts(connection, { limit, after });
    });
  }

  lastEntry(): number {
    return this.#parts.sums.lastSummed;
  }

  verifyAccount(accountId: string, upTo?: number): Promise<VerifiedAccount> {
    return this.#readings.run(() => this.#verifyAccount(accountId, upTo));
  }

  verifyStore({ upTo, entries }: { upTo: number; entries: number }): Promise<LedgerFault[]> {
    const { connection, sums, archive } = this.#parts;
    const { lastNumber } = sums;
    return this.#readings.run(() =>
      this.#withProblems(async () => [
        ...(await verifySegments(connection, archive)),
        ...(await inPieces(verifyStore({ connection, archive, upTo, entries, lastNumber }))),
      ]),
    );
  }

  quarantineOf(accountId: string): Quarantine | undefined {
    return this.#parts.quarantines.of(accountId);
  }

  quarantined(): readonly Quarantine[] {
    return this.#parts.quarantines.all;
  }

  onQuarantine(listener: (quarantine: Quarantine) => void): void {
    this.#parts.quarantines.listen(listener);
  }

  repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined> {
    return this.#readings.run(() => this.#repairAccount(order));
  }

  /** Writes each segment in a turn of its own, so that a verification waits for one segment at most. */
  async archiveEntries({ before }: { before: number }): Promise<ArchivedEntries | undefined> {
    if (this.#isArchiving) return undefined;
    this.#isArchiving = true;
    const moved = { entries: 0, segments: 0, bytes: 0 };
    const turn = <T>(work: () => Promise<T>) => this.#readings.run(() => this.#withProblems(work));
    try {
      await turn(() => this.#archiver.tidy());
      for (;;) {
        const some = await turn(() => this.#archiver.moveSome(before));
        if (!some) return moved;
        moved.entries += some.entries;
        moved.segments += some.segments;
        moved.bytes += some.bytes;
      }
    } finally {
      this.#isArchiving = false;
    }
  }

  async repairStore(): Promise<{ removedHolds: number }> {
    const { connection, sums, deliveries } = this.#parts;
    return withSqliteProblems(connection.path, () => {
      sums.repair();
      deliveries.repair();
      sealQuarantines(connection);
      return { removedHolds: removeBrokenHolds(connection) };
    });
  }

  async #verifyAccount(accountId: string, upTo = Number.POSITIVE_INFINITY): Promise<VerifiedAccount> {
    const { connection, sums, quarantines, archive } = this.#parts;
    const { unreadable, ...verified } = await this.#withProblems(() =>
      verifyAccount({ connection, sums, archive, accountId, upTo }),
    );
    if (unreadable !== undefined) quarantines.addUnreadable(accountId, unreadable);
    return verified;
  }

  async #repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined> {
    const { connection, sums, books, writer, quarantines, archive } = this.#parts;
    const { accountId } = order;
    // From now on, the account's new requests are refused.
    quarantines.add(accountId, 'Its ledger is being repaired.');
    const book = books.of(accountId);
    if (book.uses > 0) return undefined;
    const { faults } = await this.#verifyAccount(accountId);
    const plan = await this.#withProblems(() => planRepair({ connection, archive, sums }, order));
    if (book.uses > 0) return undefined;
    sums.discard(accountId);
    await writer.change(new EntryWrite(book, (inside) => writeRepair(inside, book, plan)));
    books.forget(accountId);
    await quarantines.end(accountId);
    return { entries: plan.entries, faults, added: plan.added };
  }

  async #withProblems<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw sqliteProblem(error, this.#parts.connection.path) ?? error;
    }
  }
}

/** Runs the work in pieces, so that requests are served in between. */
async function inPieces<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}
