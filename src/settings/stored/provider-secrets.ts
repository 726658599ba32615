import { createHash } from 'node:crypto';
import type { Fields } from '../../base/schema/json-type.ts';
import type { SecretKeys } from './secret-keys.ts';
import type { StoredSetting } from './stored-setting.ts';

/** The fields of a provider that are secrets. Sections of clouds and headers are secrets as a whole. */
export const secretFields = ['api_key', 'aws', 'azure', 'google', 'headers'] as const;

/** The fields of a provider's row, apart from its secrets. */
export type DividedFields = { settings: Fields; secrets: Fields };

/** Divides the fields of a row. A secret that is null or empty is not stored. */
export function divideFields(fields: Fields): DividedFields {
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!(secretFields as readonly string[]).includes(name)) settings[name] = value;
    else if (!isEmpty(name, value)) secrets[name] = value;
  }
  return { settings, secrets };
}

/** Empty headers are the default. An empty section of a cloud asks for its usual sources. */
const isEmpty = (name: string, value: unknown): boolean =>
  value === null || value === '' || (name === 'headers' && Object.keys(value as object).length === 0);

type Sealed = Pick<StoredSetting, 'kind' | 'id' | 'settings'>;

/**
 * The place of a secret: its row, its column and the settings that it is used with, so
 * that no other address gets it.
 */
const placeOf = ({ kind, id, settings }: Sealed): string =>
  JSON.stringify([
    'stored_setting',
    kind,
    id,
    'secrets',
    createHash('sha256').update(settings).digest('hex'),
  ]);

export const sealSecrets = (keys: SecretKeys, row: Sealed, secrets: Fields): string =>
  keys.seal(JSON.stringify(secrets), placeOf(row));

export type Unreadable = 'no-key' | 'changed';

/**
 * Returns the secrets of a row. `changed`: the secrets, or the settings that they belong to, were
 * changed outside of the program.
 */
export function openSecrets(
  keys: SecretKeys,
  row: Sealed & Pick<StoredSetting, 'secrets'>,
): { secrets: Fields } | Unreadable {
  if (row.secrets === null) return { secrets: {} };
  const opened = keys.open(row.secrets, placeOf(row));
  return typeof opened === 'string' ? opened : { secrets: JSON.parse(opened.text) as Fields };
}
