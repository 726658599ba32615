import type {
  ArchivedEntries,
  LedgerCare,
  Quarantine,
  RepairedAccount,
  RepairOrder,
  VerifiedAccount,
} from '../../../money/ledger/ledger-care.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';
import { lockHead } from './account-heads.ts';
import { takeLock } from './care-locks.ts';
import { longTransaction } from './long-transaction.ts';
import { PostgresArchive } from './postgres-archive.ts';
import { PostgresArchiver } from './postgres-archiver.ts';
import { PostgresQuarantines } from './postgres-quarantines.ts';
import { removeBrokenHolds } from './remove-broken-holds.ts';
import { repairPostgresAccount } from './repair-postgres-account.ts';
import { brokenSealSql } from './sealed-tables.ts';
import { selectPostgresLedgerAccounts } from './select-postgres-ledger-accounts.ts';
import { UsageRollUp } from './usage-roll-up.ts';
import { verifyPostgresAccount } from './verify-postgres-account.ts';
import { verifyPostgresStore } from './verify-postgres-store.ts';

/**
 * Verifies and repairs the ledger while requests are served. A verification sees one instant of the database.
 */
export class PostgresLedgerCare implements LedgerCare {
  readonly #database: Database;
  readonly archive = new PostgresArchive();
  readonly quarantines: PostgresQuarantines;
  readonly rollUp: UsageRollUp;
  readonly #archiver: PostgresArchiver;

  constructor(database: Database) {
    this.#database = database;
    this.quarantines = new PostgresQuarantines(database);
    this.rollUp = new UsageRollUp(database);
    this.#archiver = new PostgresArchiver({ database, archive: this.archive, rollUp: this.rollUp });
  }

  /** Loads the quarantines and starts the roll-up. Must be called before the node writes its first entry. */
  async start(): Promise<void> {
    await this.quarantines.refresh();
    await this.rollUp.start();
  }

  stop(): Promise<void> {
    return this.rollUp.stop();
  }

  /** Reads the quarantines again. It is called when the change feed names one. */
  refreshQuarantines(): Promise<void> {
    return this.quarantines.refresh();
  }

  ledgerAccounts({ limit, after = '' }: { limit: number; after?: string | undefined }): Promise<string[]> {
    return selectPostgresLedgerAccounts(this.#database, { limit, after });
  }

  async lastEntry(): Promise<number> {
    return Number((await this.#database.first('SELECT max(number) AS last FROM entry'))?.last ?? 0);
  }

  async verifyAccount(accountId: string, upTo = Number.MAX_SAFE_INTEGER): Promise<VerifiedAccount> {
    const { unreadable, ...verified } = await this.#atOneInstant((queries) =>
      verifyPostgresAccount(queries, { archive: this.archive, accountId, upTo }),
    );
    if (unreadable !== undefined) this.quarantines.addUnreadable(accountId, unreadable);
    return verified;
  }

  /** Ignores the counted entries. Each entry in the table is in the chain of an account that is listed. */
  verifyStore(): Promise<LedgerFault[]> {
    return this.#atOneInstant((queries) => verifyPostgresStore(queries, this.archive));
  }

  quarantineOf(accountId: string): Quarantine | undefined {
    return this.quarantines.of(accountId);
  }

  quarantined(): readonly Quarantine[] {
    return this.quarantines.all;
  }

  onQuarantine(listener: (quarantine: Quarantine) => void): void {
    this.quarantines.listen(listener);
  }

  async repairAccount(order: RepairOrder): Promise<RepairedAccount | undefined> {
    const { accountId } = order;
    // From now on, the account's new requests are refused, on other nodes within a second.
    await this.quarantines.add(accountId, 'Its ledger is being repaired.');
    if (await this.#isInUse(this.#database, accountId)) return undefined;
    const { faults } = await this.verifyAccount(accountId);
    const repaired = await longTransaction(this.#database, async (queries) => {
      await takeLock(queries, 'archive');
      await takeLock(queries, 'rollUp');
      await lockHead(queries, accountId);
      if (await this.#isInUse(queries, accountId)) return undefined;
      await this.quarantines.deleteRow(queries, accountId);
      return repairPostgresAccount(queries, this.archive, order);
    });
    if (!repaired) return undefined;
    this.quarantines.forget(accountId);
    return { ...repaired, faults };
  }

  async repairStore(): Promise<{ removedHolds: number }> {
    const removedHolds = await removeBrokenHolds(this.#database);
    await longTransaction(this.#database, async (queries) => {
      await takeLock(queries, 'rollUp');
      for (const table of ['quarantine', 'unconfirmed', 'usage_watermark'] as const)
        await queries.run(`UPDATE ${table} SET seal = DEFAULT WHERE ${brokenSealSql(table)}`);
    });
    return { removedHolds };
  }

  archiveEntries({ before }: { before: number }): Promise<ArchivedEntries | undefined> {
    return this.#archiver.moveAll(before);
  }

  /** Reports whether requests of the account are under way on any node. */
  async #isInUse(queries: Queries, accountId: string): Promise<boolean> {
    const holds = await queries.first('SELECT 1 FROM open_hold WHERE account_id = $1 LIMIT 1', [accountId]);
    if (holds) return true;
    // A database that no node has served from has no limits.
    const row = await queries.first(`SELECT to_regclass('limit_state') IS NOT NULL AS has_limits`);
    if (row?.has_limits !== true) return false;
    const scope = `a:${accountId}`;
    const sql = 'SELECT 1 FROM limit_state WHERE scope = $1 AND under_way > 0';
    return (await queries.first(sql, [scope])) !== undefined;
  }

  #atOneInstant<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return longTransaction(this.#database, async (queries) => {
      await queries.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(queries);
    });
  }
}
