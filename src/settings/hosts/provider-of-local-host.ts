import type { Config } from '../config/config-schema.ts';
import { hostDefaults } from './host-defaults.ts';
import { localAddress } from './local-address.ts';
import type { LocalHost } from './local-hosts.ts';
import type { ProviderSurroundings } from './provider-surroundings.ts';
import type { Provider } from './providers.ts';

/** Builds the provider of a local host. Returns undefined if the host was not found and nothing names it. */
export function providerOfLocalHost(
  host: LocalHost,
  config: Config,
  { environment, found }: ProviderSurroundings,
): Provider | undefined {
  const { address, apiKey, isSwitchedOn } = localAddress(host, config, environment);
  const isFound = found?.has(host.id) ?? false;
  if (!isSwitchedOn && !isFound && !isRouted(config, host.id)) return undefined;
  const { id, wires, quirks } = host;
  const source = isFound ? 'found' : 'built-in';
  return {
    id,
    wires,
    ...hostDefaults,
    quirks,
    apiKey,
    baseUrl: `${address}/v1`,
    isInside: true,
    mode: isSwitchedOn || isFound ? 'live' : 'not-set-up',
    source: isSwitchedOn ? 'environment' : source,
  };
}

/** Reports whether a model of the configuration has a route to the provider. */
export const isRouted = (config: Config, id: string): boolean =>
  config.catalog.models.some(({ routes }) => routes.some(({ provider }) => provider === id));
