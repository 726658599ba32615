import type { SettingPlace, StoredSettingStore } from '../customers/operators/stored-setting-store.ts';
import type { SaveOutcome } from '../money/accounts/account-store.ts';
import type { AuditEntry } from '../money/accounts/audit.ts';
import type { StoredSetting } from '../settings/stored/stored-setting.ts';
import type { RecordQueries, WriteStatement } from './record-queries.ts';
import { rowOfSetting, settingOfRow } from './setting-rows.ts';
import type { SqlStatement } from './sql-statement.ts';

/** Stored settings in both kinds of databases. */
export class SettingRecords implements StoredSettingStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async listSettings(): Promise<StoredSetting[]> {
    const rows = await this.#queries.all('SELECT * FROM stored_setting ORDER BY kind, id');
    return rows.map(settingOfRow);
  }

  addSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    return this.#change(
      audit,
      (statement) =>
        `${statement.insert('stored_setting', rowOfSetting(row))} ON CONFLICT DO NOTHING RETURNING id`,
    );
  }

  changeSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    const { kind: _kind, id: _id, revision: _revision, ...changed } = rowOfSetting(row);
    return this.#change(
      audit,
      (statement) => `
        UPDATE stored_setting SET ${statement.assign(changed)}, revision = revision + 1
        WHERE ${isAt(statement, row)} RETURNING id`,
    );
  }

  removeSetting(place: SettingPlace, audit: AuditEntry): Promise<SaveOutcome> {
    return this.#change(
      audit,
      (statement) => `DELETE FROM stored_setting WHERE ${isAt(statement, place)} RETURNING id`,
    );
  }

  /** Replaces the encrypted secrets. Nothing is announced, since other processes decrypt both forms. */
  async resealSetting({ kind, id, from, to }: Parameters<StoredSettingStore['resealSetting']>[0]) {
    const text = 'UPDATE stored_setting SET secrets = $4 WHERE kind = $1 AND id = $2 AND secrets = $3';
    return (await this.#queries.run(text, [kind, id, from, to])) === 1;
  }

  async #change(audit: AuditEntry, write: WriteStatement): Promise<SaveOutcome> {
    return (await this.#queries.change({ kind: 'setting', audit }, write)) ? 'saved' : 'conflict';
  }
}

const isAt = (statement: SqlStatement, { kind, id, revision }: SettingPlace): string =>
  `kind = ${statement.bind(kind)} AND id = ${statement.bind(id)} AND revision = ${statement.bind(revision)}`;
