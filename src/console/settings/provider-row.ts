import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { divideFields, secretFields } from '../../settings/stored/divide-fields.ts';
import type { SecretKeys } from '../../settings/stored/secret-keys.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/setting-secrets.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';
import { credentialFields } from './merge-fields.ts';

/**
 * Returns the fields of a stored provider with its secrets. Secrets that cannot be read are left out, so that
 * new ones can replace them.
 */
export function openProviderRow(setting: StoredSetting, keys: SecretKeys): Fields {
  const opened = openSecrets(keys, setting);
  const secrets = opened.kind === 'opened' ? opened.secrets : {};
  return { ...(JSON.parse(setting.settings) as Fields), ...secrets };
}

/** The fields of a row to store. `before` is the stored row that it replaces by `changes`. */
type RowDraft = { id: string; fields: Fields; before?: StoredSetting; changes: Fields };

/**
 * Returns the row of a provider as it is stored, with encrypted secrets. Without a new secret, it keeps the
 * time at which the secret was set. Headers alone do not replace secrets that cannot be read, since a key can
 * be among them.
 */
export function sealProviderRow(
  { id, fields, before, changes }: RowDraft,
  { ring, now }: { ring: KeyRing; now(): number },
): StoredSetting | Refusal {
  const { settings, secrets } = divideFields(fields);
  const row = {
    kind: 'provider' as const,
    id,
    revision: before?.revision ?? 1,
    settings: JSON.stringify(settings),
    changedAt: now(),
  };
  const isLost = before !== undefined && openSecrets(ring.keys, before).kind !== 'opened';
  if (isLost && !credentialFields.some((name) => name in changes)) return lostSecret();
  if (Object.keys(secrets).length === 0) return { ...row, secrets: null, secretsSetAt: null };
  if (ring.missing !== null) return new Refusal('conflict', { message: ring.missing });
  const secretsSetAt = hasSecret(changes) ? now() : (before?.secretsSetAt ?? now());
  return { ...row, secrets: sealSecrets(ring.keys, row, secrets), secretsSetAt };
}

/** True if a change has a secret. */
export const hasSecret = (changes: Fields): boolean => secretFields.some((name) => name in changes);

const lostSecret = (): Refusal =>
  new Refusal('conflict', {
    message: 'The stored credential cannot be read, so the change must bring another one.',
    param: 'api_key',
  });
