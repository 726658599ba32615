import type { Clock } from '../../../base/lib/clock.ts';
import type { Quarantine } from '../../../money/ledger/ledger-care.ts';
import { QuarantineList, unreadableReason } from '../../ledger/quarantine-list.ts';
import { number, text } from '../../row-columns.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { sealOf } from './seal.ts';

const insertSql = `
  INSERT INTO quarantine (account_id, since, reason, seal) VALUES ($accountId, $since, $reason, $seal)
  ON CONFLICT DO NOTHING`;
const removeSql = 'DELETE FROM quarantine WHERE account_id = $accountId';

/** Accounts that are not served until an operator repairs them. A quarantine persists over restarts. */
export class Quarantines extends QuarantineList {
  readonly #writer: GroupCommitWriter;
  readonly #clock: Clock;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter, clock: Clock) {
    super();
    this.#writer = writer;
    this.#clock = clock;
    for (const { quarantine } of selectQuarantines(connection))
      this.byAccount.set(quarantine.accountId, quarantine);
  }

  /**
   * Takes effect immediately in this process.
   * If it cannot be written, the next process finds the same damage when it reads the entry.
   */
  add(accountId: string, reason: string): void {
    if (this.byAccount.has(accountId)) return;
    const quarantine = { accountId, since: this.#clock.now(), reason };
    this.byAccount.set(accountId, quarantine);
    this.notify(quarantine);
    const row = { ...quarantine, seal: sealOfRow(quarantine) };
    // The quarantine holds in memory, and the next start finds the damage again.
    this.#writer.write((connection) => connection.run(insertSql, row)).catch(() => {});
  }

  addUnreadable(accountId: string, entryId: string): void {
    this.add(accountId, unreadableReason(entryId));
  }

  async end(accountId: string): Promise<void> {
    await this.#writer.write((connection) => connection.run(removeSql, { accountId }));
    this.byAccount.delete(accountId);
  }
}

const sealOfRow = ({ accountId, since, reason }: Quarantine): string =>
  sealOf('quarantine', accountId, since, reason);

/** Reads all quarantines. `isIntact` is false if a row was changed outside of the program. */
export const selectQuarantines = (
  connection: SqliteConnection,
): { quarantine: Quarantine; isIntact: boolean }[] =>
  connection.all('SELECT account_id, since, reason, seal FROM quarantine ORDER BY account_id').map((row) => {
    const quarantine = {
      accountId: text(row, 'account_id'),
      since: number(row, 'since'),
      reason: text(row, 'reason'),
    };
    return { quarantine, isIntact: row.seal === sealOfRow(quarantine) };
  });

/** Accepts the current rows by sealing them again. */
export function sealQuarantines(connection: SqliteConnection): void {
  for (const { quarantine } of selectQuarantines(connection))
    connection.run('UPDATE quarantine SET seal = $seal WHERE account_id = $accountId', {
      accountId: quarantine.accountId,
      seal: sealOfRow(quarantine),
    });
}
