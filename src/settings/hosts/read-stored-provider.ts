import type { Environment } from '../../base/lib/environment.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { checkProvider } from '../stored/check-rows.ts';
import { openSecrets } from '../stored/provider-secrets.ts';
import type { SecretFault, SecretKeys } from '../stored/secret-keys.ts';
import type { StoredProvider, UnusableKind } from '../stored/stored-rows.ts';
import type { StoredSetting } from '../stored/stored-setting.ts';
import { fillAddress } from './fill-address.ts';
import { type Host, hosts } from './hosts.ts';

/**
 * Returns the fields of a row. The id of a built-in host brings its wires, its address and its
 * differences from the protocol.
 */
export function withHostDefaults(fields: Fields, environment: Environment): Fields {
  const host = hosts.find(({ id }) => id === fields.id);
  if (!host) return fields;
  const hasWires = 'wire' in fields || 'wires' in fields;
  return { ...(hasWires ? {} : { wires: host.wires }), ...placeOf(host, environment, fields), ...fields };
}

function placeOf(host: Host, environment: Environment, fields: Fields): Fields {
  const { quirks = [], refuses = [], keyHeader } = host;
  const own = { quirks, refuses };
  if (host.cloud === 'google') return own;
  const query = Object.entries(host.query ?? {}).flatMap(([name, template]) => {
    const filled = fillAddress(template, environment);
    return 'address' in filled ? [[name, filled.address]] : [];
  });
  const { region } = (fields.aws ?? {}) as { region?: string };
  const filled = fillAddress(host.baseUrl, region ? { ...environment, AWS_REGION: region } : environment);
  const isCloud = ['aws', 'azure', 'google'].some((name) => fields[name]);
  return {
    ...own,
    ...('address' in filled && { base_url: filled.address }),
    // A credential of a cloud makes its own header.
    ...(keyHeader && !isCloud && { key_header: keyHeader }),
    query: Object.fromEntries(query),
  };
}

export type ProviderReading = {
  keys: SecretKeys;
  environment: Environment;
  /** The time of this reading, for rows that cannot be used. */
  now: number;
};

const unreadable: Readonly<Record<SecretFault, string>> = {
  'no-key': 'The stored credential is encrypted with a key that this process does not have.',
  changed: 'The stored credential, or the settings that it belongs to, were changed outside of Tollgate.',
};

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
  if (opened.kind !== 'opened') return unusable(opened.kind, unreadable[opened.kind]);
  const fields = { ...(JSON.parse(setting.settings) as Fields), ...opened.secrets };
  const checked = checkProvider(withHostDefaults(fields, environment));
  if ('row' in checked) return { ...common, row: checked.row, unusable: null };
  const { path, message } = checked.problem;
  return unusable('invalid', `The stored row is not valid: ${formatPath(path)} ${message}.`);
}
