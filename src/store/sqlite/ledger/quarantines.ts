import type { Clock } from '../../../base/lib/clock.ts';
import type { Quarantine } from '../../../money/ledger/ledger-care.ts';
import { number, text } from '../../row-columns.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { sealOf } from './seal.ts';

const insertSql = `
  INSERT INTO quarantine (account_id, since, reason, seal) VALUES ($accountId, $since, $reason, $seal)
  ON CONFLICT DO NOTHING`;
const removeSql = 'DELETE FROM quarantine WHERE account_id = $accountId';

/** Accounts that are not served until an operator repairs them. A quarantine persists over restarts. */
export class Quarantines {
  readonly #writer: GroupCommitWriter;
  readonly #clock: Clock;
  readonly #all = new Map<string, Quarantine>();
  readonly #listeners: ((quarantine: Quarantine) => void)[] = [];

  constructor(connection: SqliteConnection, writer: GroupCommitWriter, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
    for (const { quarantine } of selectQuarantines(connection))
      this.#all.set(quarantine.accountId, quarantine);
  }

  get all(): readonly Quarantine[] {
    return [...this.#all.values()];
  }

  of(accountId: string): Quarantine | undefined {
    return this.#all.size === 0 ? undefined : this.#all.get(accountId);
  }

  listen(listener: (quarantine: Quarantine) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Takes effect immediately in this process.
   * If it cannot be written, the next process finds the same damage when it reads the entry.
   */
  add(accountId: string, reason: string): void {
    if (this.#all.has(accountId)) return;
    const quarantine = { accountId, since: this.#clock.now(), reason };
    this.#all.set(accountId, quarantine);
    for (const listener of this.#listeners) listener(quarantine);
    const row = { ...quarantine, seal: sealOfRow(quarantine) };
    // The quarantine holds in memory, and the next start finds the damage again.
    this.#writer.write((connection) => connection.run(insertSql, row)).catch(() => {});
  }

  addUnreadable(accountId: string, entryId: string): void {
    this.add(accountId, `The entry ${entryId} of its ledger cannot be read.`);
  }

  async end(accountId: string): Promise<void> {
    await this.#writer.write((connection) => connection.run(removeSql, { accountId }));
    this.#all.delete(accountId);
  }
}

const sealOfRow = ({ accountId, since, reason }: Quarantine): string =>
  sealOf('quarantine', accountId, since, reason);

/** `isWhole` false: the row was changed. */
export const selectQuarantines = (
  connection: SqliteConnection,
): { quarantine: Quarantine; isWhole: boolean }[] =>
  connection.all('SELECT account_id, since, reason, seal FROM quarantine ORDER BY account_id').map((row) => {
    const quarantine = {
      accountId: text(row, 'account_id'),
      since: number(row, 'since'),
      reason: text(row, 'reason'),
    };
    return { quarantine, isWhole: row.seal === sealOfRow(quarantine) };
  });

/** Accepts the current rows by sealing them again. */
export function sealQuarantines(connection: SqliteConnection): void {
  for (const { quarantine } of selectQuarantines(connection))
    connection.run('UPDATE quarantine SET seal = $seal WHERE account_id = $accountId', {
      accountId: quarantine.accountId,
      seal: sealOfRow(quarantine),
    });
}
