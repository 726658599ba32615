import { createHash } from 'node:crypto';
import type { Fields } from '../../base/schema/json-type.ts';
import type { SecretFault, SecretKeys } from './secret-keys.ts';
import type { StoredSetting } from './stored-setting.ts';

/** The members of a setting that its secrets are bound to. */
type SettingIdentity = Pick<StoredSetting, 'kind' | 'id' | 'settings'>;

/**
 * Returns the data that is authenticated with a secret: its row, its column and the settings that it is used
 * with. Settings with a different base URL therefore cannot use the secret.
 */
const associatedData = ({ kind, id, settings }: SettingIdentity): string =>
  JSON.stringify([
    'stored_setting',
    kind,
    id,
    'secrets',
    createHash('sha256').update(settings).digest('hex'),
  ]);

/** Encrypts the secrets of a row. They can be opened only together with the settings of this row. */
export const sealSecrets = (keys: SecretKeys, row: SettingIdentity, secrets: Fields): string =>
  keys.seal(JSON.stringify(secrets), associatedData(row));

export type OpenedSecrets = { kind: 'opened'; secrets: Fields } | { kind: SecretFault };

/**
 * Decrypts the secrets of a row. Returns `changed` if the secrets or the settings of the row were edited
 * outside of the program.
 */
export function openSecrets(
  keys: SecretKeys,
  row: SettingIdentity & Pick<StoredSetting, 'secrets'>,
): OpenedSecrets {
  if (row.secrets === null) return { kind: 'opened', secrets: {} };
  const opened = keys.open(row.secrets, associatedData(row));
  return opened.kind === 'opened' ? { kind: 'opened', secrets: JSON.parse(opened.text) as Fields } : opened;
}
