import type { Environment } from '../../base/lib/environment.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { checkProvider } from '../stored/check-rows.ts';
import type { SecretFault, SecretKeys } from '../stored/secret-keys.ts';
import { openSecrets } from '../stored/setting-secrets.ts';
import type { StoredProvider, UnusableKind } from '../stored/stored-rows.ts';
import type { StoredSetting } from '../stored/stored-setting.ts';
import { withHostDefaults } from './with-host-defaults.ts';

const secretFaults: Readonly<Record<SecretFault, string>> = {
  'no-key': 'The stored credential is encrypted with a key that this process does not have.',
  changed: 'The stored credential, or the settings that it belongs to, were changed outside of Tollgate.',
};

export type ProviderReading = {
  keys: SecretKeys;
  environment: Environment;
  /** The time of this reading, for rows that cannot be used. */
  now: number;
};

/** Reads a provider that operators have stored. An unusable row is returned as the reason. */
export function readStoredProvider(
  setting: StoredSetting,
  { keys, environment, now }: ProviderReading,
): StoredProvider {
  const { id, revision, secretsSetAt } = setting;
  const common = { id, revision, credentialSetAt: secretsSetAt };
  const unusable = (kind: UnusableKind, reason: string): StoredProvider => ({
    ...common,
    row: null,
    unusable: { kind, reason, since: now },
  });
  const opened = openSecrets(keys, setting);
  if (opened.kind !== 'opened') return unusable(opened.kind, secretFaults[opened.kind]);
  const fields = { ...(JSON.parse(setting.settings) as Fields), ...opened.secrets };
  const checked = checkProvider(withHostDefaults(fields, environment));
  if ('row' in checked) return { ...common, row: checked.row, unusable: null };
  const { path, message } = checked.problem;
  return unusable('invalid', `The stored row is not valid: ${formatPath(path)} ${message}.`);
}
