import type { SaveOutcome } from '../../money/accounts/account-store.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { SettingKind, StoredSetting } from '../../settings/stored/stored-setting.ts';

/** Names a row and the revision that a change replaces. */
export type SettingPlace = { kind: SettingKind; id: string; revision: number };

/** Keeps stored settings. A change and its audit entry are written together. */
export interface StoredSettingStore {
  /** Returns all rows, by kind and id. */
  listSettings(): Promise<StoredSetting[]>;
  /** Adds a row. Returns `conflict` if its kind and id exist. */
  addSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome>;
  /** Replaces the row of the same revision, and increments its revision. */
  changeSetting(row: StoredSetting, audit: AuditEntry): Promise<SaveOutcome>;
  removeSetting(place: SettingPlace, audit: AuditEntry): Promise<SaveOutcome>;
  /** Replaces the encrypted form of the same secrets. Returns false if they are no longer `from`. */
  resealSetting(order: Pick<StoredSetting, 'kind' | 'id'> & { from: string; to: string }): Promise<boolean>;
}
