import { createHash } from 'node:crypto';
import type { Fields } from '../../base/schema/json-type.ts';
import type { SecretFault, SecretKeys } from './secret-keys.ts';
import type { StoredSetting } from './stored-setting.ts';

/** The members of a setting to which its secrets are bound. */
type SecretOwner = Pick<StoredSetting, 'kind' | 'id' | 'settings'>;

/**
 * Returns the place of a secret: its row, its column and the settings that it is used with.
 * Settings with a different base URL therefore cannot use the secret.
 */
const secretPlace = ({ kind, id, settings }: SecretOwner): string =>
  JSON.stringify([
    'stored_setting',
    kind,
    id,
    'secrets',
    createHash('sha256').update(settings).digest('hex'),
  ]);

/** Encrypts the secrets of a row. They can be opened only together with the settings of this row. */
export const sealSecrets = (keys: SecretKeys, row: SecretOwner, secrets: Fields): string =>
  keys.seal(JSON.stringify(secrets), secretPlace(row));

export type OpenedSecrets = { kind: 'opened'; secrets: Fields } | { kind: SecretFault };

/**
 * Returns the secrets of a row. They also count as changed if the settings that they belong to were changed
 * outside of the program.
 */
export function openSecrets(
  keys: SecretKeys,
  row: SecretOwner & Pick<StoredSetting, 'secrets'>,
): OpenedSecrets {
  if (row.secrets === null) return { kind: 'opened', secrets: {} };
  const opened = keys.open(row.secrets, secretPlace(row));
  return opened.kind === 'opened' ? { kind: 'opened', secrets: JSON.parse(opened.text) as Fields } : opened;
}
