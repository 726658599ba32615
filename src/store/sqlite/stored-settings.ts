import type { SettingPlace, StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { rowOfSetting, settingOfRow } from '../setting-rows.ts';
import { insertAudit } from './audit.ts';
import type { SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

/** Stored settings in the embedded store. */
export class SqliteStoredSettings implements StoredSettingStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async listSettings(): Promise<StoredSetting[]> {
    const { path } = this.#connection;
    return withSqliteProblems(path, () =>
      this.#connection.all('SELECT * FROM stored_setting ORDER BY kind, id').map(settingOfRow),
    );
  }

  addSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    return this.#write(add, rowOfSetting(row), audit);
  }

  changeSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome> {
    return this.#write(change, rowOfSetting(row), audit);
  }

  removeSetting({ kind, id, revision }: SettingPlace, audit: AuditEntry): Promise<SaveOutcome> {
    return this.#write(remove, { kind, id, revision }, audit);
  }

  resealSetting({
    kind,
    id,
    from,
    to,
  }: Parameters<StoredSettingStore['resealSetting']>[0]): Promise<boolean> {
    return this.#writer.write((connection) => connection.run(reseal, { kind, id, from, to }) === 1);
  }

  #write(
    text: string,
    values: Record<string, string | number | null>,
    audit: AuditEntry,
  ): Promise<SaveOutcome> {
    return this.#writer.write((connection) => {
      if (connection.run(text, values) === 0) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }
}

const add = `
  INSERT INTO stored_setting (kind, id, revision, settings, secrets, secrets_set_at, changed_at)
  VALUES ($kind, $id, $revision, $settings, $secrets, $secrets_set_at, $changed_at) ON CONFLICT DO NOTHING`;
const change = `
  UPDATE stored_setting SET revision = revision + 1, settings = $settings, secrets = $secrets,
    secrets_set_at = $secrets_set_at, changed_at = $changed_at
  WHERE kind = $kind AND id = $id AND revision = $revision`;
const remove = 'DELETE FROM stored_setting WHERE kind = $kind AND id = $id AND revision = $revision';
const reseal = 'UPDATE stored_setting SET secrets = $to WHERE kind = $kind AND id = $id AND secrets = $from';
