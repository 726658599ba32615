import type { SettingPlace, StoredSettingStore } from '../../../customers/operators/stored-setting-store.ts';
import type { SaveOutcome } from '../../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { StoredSetting } from '../../../settings/stored/stored-setting.ts';
import { rowOfSetting, settingOfRow } from '../../setting-rows.ts';
import type { Queries } from '../database.ts';
import { SqlStatement } from '../statement.ts';

/** Stored settings that several nodes share. A change, its audit entry and its announcement are one statement. */
export class PostgresStoredSettings implements StoredSettingStore {
  readonly #queries: Queries;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async listSettings(): Promise<StoredSetting[]> {
    return (await this.#queries.all('SELECT * FROM stored_setting ORDER BY kind, id')).map(settingOfRow);
  }

  addSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    const text = `${statement.insert('stored_setting', rowOfSetting(row))} ON CONFLICT DO NOTHING`;
    return this.#write(statement, text, audit);
  }

  changeSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    const { kind, id, revision, ...changed } = rowOfSetting(row);
    const statement = new SqlStatement();
    const text = `UPDATE stored_setting SET ${statement.assign(changed)}, revision = revision + 1
      WHERE ${placeIn(statement, { kind, id, revision } as SettingPlace)}`;
    return this.#write(statement, text, audit);
  }

  removeSetting(place: SettingPlace, audit: AuditEntry): Promise<SaveOutcome> {
    const statement = new SqlStatement();
    return this.#write(statement, `DELETE FROM stored_setting WHERE ${placeIn(statement, place)}`, audit);
  }

  /** The other nodes decrypt both forms, so nothing is announced. */
  async resealSetting({ kind, id, from, to }: Parameters<StoredSettingStore['resealSetting']>[0]) {
    const text = 'UPDATE stored_setting SET secrets = $4 WHERE kind = $1 AND id = $2 AND secrets = $3';
    return (await this.#queries.run(text, [kind, id, from, to])) === 1;
  }

  async #write(statement: SqlStatement, change: string, audit: AuditEntry): Promise<SaveOutcome> {
    const text = `WITH written AS (${change} RETURNING id)
      SELECT announce('setting', id), ${statement.audit(audit)} FROM written`;
    return (await this.#queries.first(text, statement.values)) ? 'saved' : 'conflict';
  }
}

const placeIn = (statement: SqlStatement, { kind, id, revision }: SettingPlace): string =>
  `kind = ${statement.bind(kind)} AND id = ${statement.bind(id)} AND revision = ${statement.bind(revision)}`;
