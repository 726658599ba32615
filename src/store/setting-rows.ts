import type { SettingKind, StoredSetting } from '../settings/stored/stored-setting.ts';
import type { CommonRow, CommonValue } from './common-queries.ts';

export const rowOfSetting = (setting: StoredSetting): Record<string, CommonValue> => ({
  kind: setting.kind,
  id: setting.id,
  revision: setting.revision,
  settings: setting.settings,
  secrets: setting.secrets,
  secrets_set_at: setting.secretsSetAt,
  changed_at: setting.changedAt,
});

export const settingOfRow = (row: CommonRow): StoredSetting => ({
  kind: row.kind as SettingKind,
  id: String(row.id),
  revision: Number(row.revision),
  settings: String(row.settings),
  secrets: row.secrets as string | null,
  secretsSetAt: row.secrets_set_at === null ? null : Number(row.secrets_set_at),
  changedAt: Number(row.changed_at),
});
