import type { SettingKind, StoredSetting } from '../settings/stored/stored-setting.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { nullableNumber, nullableText, number, text } from './row-columns.ts';

export const rowOfSetting = (setting: StoredSetting): RowValues => ({
  kind: setting.kind,
  id: setting.id,
  revision: setting.revision,
  settings: setting.settings,
  secrets: setting.secrets,
  secrets_set_at: setting.secretsSetAt,
  changed_at: setting.changedAt,
});

export const settingOfRow = (row: CommonRow): StoredSetting => ({
  kind: text<SettingKind>(row, 'kind'),
  id: text(row, 'id'),
  revision: number(row, 'revision'),
  settings: text(row, 'settings'),
  secrets: nullableText(row, 'secrets'),
  secretsSetAt: nullableNumber(row, 'secrets_set_at'),
  changedAt: number(row, 'changed_at'),
});
