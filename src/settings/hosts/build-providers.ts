import type { Config } from '../config/config-schema.ts';
import { hosts } from './hosts.ts';
import { localHosts } from './local-hosts.ts';
import { providerOfHost } from './provider-of-host.ts';
import { isRouted, providerOfLocalHost } from './provider-of-local-host.ts';
import { providerOfRow, providerOfStored } from './provider-of-row.ts';
import type { ProviderSurroundings } from './provider-surroundings.ts';
import type { Provider, Providers } from './providers.ts';
import { simulatedProvider, simulatorProvider } from './simulator-provider.ts';

/** Builds the providers of a configuration. Of two with the same id, the operator's own one counts. */
export function buildProviders(config: Config, surroundings: ProviderSurroundings): Providers {
  const { simulator } = surroundings;
  const builtIn = config.catalog.default ? hosts.map((host) => providerOfHost(host, surroundings)) : [];
  const local = localHosts.flatMap((host) => providerOfLocalHost(host, config, surroundings) ?? []);
  const configured = config.providers.map((row) => providerOfRow(row, surroundings));
  const stored = storedProviders([...builtIn, ...local, ...configured], surroundings);
  // An unusable stored provider counts as live, since its clients must not receive simulated answers
  // meanwhile.
  const standsIn =
    stored.length === 0 &&
    !hasLive([...builtIn, ...local, ...configured], config, surroundings.hasServedLocally);
  const mode = standsIn || config.simulator.mode === 'on' ? 'simulated' : 'not-set-up';
  const providers = [
    ...(simulator ? [simulatorProvider(simulator, mode)] : []),
    ...(simulator && standsIn ? builtIn.map((provider) => simulatedProvider(provider, simulator)) : builtIn),
    ...local,
    ...configured,
    ...stored,
  ];
  return new Map(providers.map((provider) => [provider.id, provider]));
}

/** Builds the stored providers, apart from those whose id a file or a variable has taken. */
function storedProviders(others: readonly Provider[], surroundings: ProviderSurroundings): Provider[] {
  const isFixed = ({ source }: Provider) => source === 'file' || source === 'environment';
  const takenIds = new Set(others.filter(isFixed).map(({ id }) => id));
  return (surroundings.stored ?? [])
    .filter(({ id }) => !takenIds.has(id))
    .map((provider) => providerOfStored(provider, surroundings));
}

/**
 * Reports whether any provider is live, so that the simulator stands in for none. A local server that the
 * configuration routes to, or that has served models, counts even while it is away. Its clients must not
 * receive simulated answers in the meantime.
 */
const hasLive = (providers: readonly Provider[], config: Config, hasServedLocally = false): boolean =>
  hasServedLocally ||
  localHosts.some(({ id }) => isRouted(config, id)) ||
  // A local server that was found without models replaces no other provider.
  providers.some(({ mode, source }) => mode === 'live' && source !== 'found');
