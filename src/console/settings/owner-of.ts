import type { Environment } from '../../base/lib/environment.ts';
import { hosts } from '../../settings/hosts/hosts.ts';
import { localHosts } from '../../settings/hosts/local-hosts.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

type Places = { environment: Environment; configFile: string | null };

/** Says where the settings of a provider come from, which is where they are changed. */
export function ownerOf({ id, source }: Provider, { environment, configFile }: Places): string {
  if (source === 'file') return `in the configuration file ${configFile ?? ''}`.trim();
  if (source === 'environment') return `set up by the environment variable ${variableOf(id, environment)}`;
  if (source === 'built-in') return 'built in, and no credential is stored for it';
  return source === 'found' ? 'a local server that was found' : 'stored';
}

function variableOf(id: string, environment: Places['environment']): string {
  const local = localHosts.find((host) => host.id === id);
  const names = local ? [local.addressVariable] : (hosts.find((host) => host.id === id)?.keyVariables ?? []);
  const name = names.find((each) => environment[each]) ?? names[0] ?? '';
  return environment[`${name}_FILE`] ? `${name}_FILE` : name;
}
