import { createHash } from 'node:crypto';
import type { Fields } from '../../base/schema/json-type.ts';
import type { SecretFault, SecretKeys } from './secret-keys.ts';
import type { StoredSetting } from './stored-setting.ts';

/** The fields of a provider that are secrets. Headers and the sections of clouds are secrets as a whole. */
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

/** Reports whether a secret is empty. The empty section of a cloud is not: it asks for the usual sources. */
const isEmpty = (name: string, value: unknown): boolean =>
  value === null || value === '' || (name === 'headers' && Object.keys(value as object).length === 0);

type Sealed = Pick<StoredSetting, 'kind' | 'id' | 'settings'>;

/**
 * Returns the place of a secret: its row, its column and the settings that it is used with.
 * A row with another address therefore cannot use it.
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

export type OpenedSecrets = { kind: 'opened'; secrets: Fields } | { kind: SecretFault };

/**
 * Returns the secrets of a row. They also count as changed if the settings that they belong to were changed
 * outside of the program.
 */
export function openSecrets(keys: SecretKeys, row: Sealed & Pick<StoredSetting, 'secrets'>): OpenedSecrets {
  if (row.secrets === null) return { kind: 'opened', secrets: {} };
  const opened = keys.open(row.secrets, placeOf(row));
  return opened.kind === 'opened' ? { kind: 'opened', secrets: JSON.parse(opened.text) as Fields } : opened;
}
