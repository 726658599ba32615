export const settingKinds = ['provider', 'model', 'content-key'] as const;
export type SettingKind = (typeof settingKinds)[number];

/**
 * A provider or a model that an operator has made by form or API, or the key of stored content, as a store
 * keeps it.
 */
export type StoredSetting = {
  kind: SettingKind;
  id: string;
  /** Increases with each change. */
  revision: number;
  /** JSON without secrets. */
  settings: string;
  /** The encrypted secrets. `null` means that the row has no secrets. */
  secrets: string | null;
  /** The time at which the secrets were last set. */
  secretsSetAt: number | null;
  changedAt: number;
};
