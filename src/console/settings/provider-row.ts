import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { divideFields } from '../../settings/stored/divide-fields.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/provider-secrets.ts';
import type { SecretKeys } from '../../settings/stored/secret-keys.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Returns the fields of a stored provider with its secrets. Secrets that cannot be read are left out, so that
 * new ones can replace them.
 */
export function openRow(setting: StoredSetting, keys: SecretKeys): Fields {
  const opened = openSecrets(keys, setting);
  const secrets = opened.kind === 'opened' ? opened.secrets : {};
  return { ...(JSON.parse(setting.settings) as Fields), ...secrets };
}

/** The fields of a row to store. `before` is the stored row that it replaces. */
type RowDraft = { id: string; fields: Fields; before?: StoredSetting; hasNewSecret: boolean };

/**
 * Returns the row of a provider as it is stored, with encrypted secrets. Without a new secret, it keeps the
 * time at which the secret was set.
 */
export function sealRow(
  { id, fields, before, hasNewSecret }: RowDraft,
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
  if (isLost && !hasNewSecret) return lostSecret();
  if (Object.keys(secrets).length === 0) return { ...row, secrets: null, secretsSetAt: null };
  if (ring.missing !== null) return new Refusal('conflict', { message: ring.missing });
  const secretsSetAt = hasNewSecret ? now() : (before?.secretsSetAt ?? now());
  return { ...row, secrets: sealSecrets(ring.keys, row, secrets), secretsSetAt };
}

const lostSecret = (): Refusal =>
  new Refusal('conflict', {
    message: 'The stored credential cannot be read, so the change must bring another one.',
    param: 'api_key',
  });
