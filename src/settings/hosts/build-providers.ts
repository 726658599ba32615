import type { Environment } from '../../base/lib/environment.ts';
import { isInsideHost } from '../../base/lib/inside-host.ts';
import { msOf } from '../../base/lib/units.ts';
import type { ReservedField } from '../../translation/canonical/reserved-field.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { Config, ProviderRow } from '../config/config-schema.ts';
import { isReachableAddress } from '../config/is-reachable-address.ts';
import type { StoredProvider } from '../stored/stored-rows.ts';
import { fillAddress, requiredVariables } from './fill-address.ts';
import { type Host, hosts } from './hosts.ts';
import { type LocalHost, localAddress, localHosts } from './local-hosts.ts';
import { missingForVertex, planOfRow, vertexAddress, vertexPlan } from './plan-of-row.ts';
import { type CredentialFactory, CredentialFailure } from './provider-credential.ts';
import type { CloudAccess, Provider, Providers } from './providers.ts';

/** The address and the key of the built-in simulator. */
type Simulator = { url: string; apiKey: string };

export type ProviderSurroundings = {
  environment: Environment;
  /** `null` means that the simulator does not run. */
  simulator: Simulator | null;
  /** The ids of the local servers that were found. */
  found?: ReadonlySet<string>;
  /** Creates the credentials of providers in clouds. Without it, their calls fail. */
  credentialOf?: CredentialFactory;
  /** A local server has offered models since the process started, even if it has stopped. */
  hasServedLocally?: boolean;
  /** The providers that operators have stored. Those of the file and of the environment come before them. */
  stored?: readonly StoredProvider[];
};

const DEFAULT_TIMEOUTS = { connectMs: 5_000, firstByteMs: 120_000, idleMs: 60_000, totalMs: 1_800_000 };

/** The provider id of the built-in simulator for an operator's own targets, on every wire. */
export const SIMULATOR_ID = 'simulator';

/** Reports whether the simulator must run. */
export const simulatorWanted = (config: Config): boolean => config.simulator.mode !== 'off';

export function buildProviders(config: Config, around: ProviderSurroundings): Providers {
  const { simulator } = around;
  const builtIn = config.catalog.default ? hosts.map((host) => providerOfHost(host, around)) : [];
  const local = localHosts.flatMap((host) => providerOfLocalHost(host, config, around) ?? []);
  const own = config.providers.map((row) => providerOfRow(row, around));
  const taken = new Set([...builtIn, ...local, ...own].filter(isFixed).map(({ id }) => id));
  const stored = (around.stored ?? []).filter(({ id }) => !taken.has(id));
  const storedProviders = stored.map((provider) => providerOfStored(provider, around));
  // An unusable stored provider counts as live, since its clients must not
  // receive simulated answers meanwhile.
  const standsIn =
    stored.length === 0 && !hasLive([...builtIn, ...local, ...own], config, around.hasServedLocally);
  const mode = standsIn || config.simulator.mode === 'on' ? 'simulated' : 'not-set-up';
  const named = simulator && simulatorProvider(simulator, mode);
  const reached = simulator && standsIn ? builtIn.map((provider) => simulate(provider, simulator)) : builtIn;
  const providers = [...(named ? [named] : []), ...reached, ...local, ...own, ...storedProviders];
  return new Map(providers.map((provider) => [provider.id, provider]));
}

/** Reports whether a file or a variable decides about the provider. */
const isFixed = ({ source }: Provider): boolean => source === 'file' || source === 'environment';

/** Builds a provider that operators have stored. An unusable one has no address, and gets no requests. */
function providerOfStored({ row, id, ...stored }: StoredProvider, around: ProviderSurroundings): Provider {
  const { revision, credentialSetAt, unusable } = stored;
  const facts = { source: 'stored', stored: { revision, credentialSetAt, unusable } } as const;
  if (row) return { ...providerOfRow(row, around), ...facts };
  return { id, wires: [], baseUrl: '', apiKey: null, ...hostDefaults, mode: 'not-set-up', ...facts };
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

const isRouted = (config: Config, id: string): boolean =>
  config.catalog.models.some(({ routes }) => routes.some(({ provider }) => provider === id));

/** Builds the provider for an operator's own routes to the simulator. */
const simulatorProvider = (simulator: Simulator, mode: 'simulated' | 'not-set-up'): Provider => ({
  id: SIMULATOR_ID,
  wires,
  baseUrl: simulator.url,
  apiKey: simulator.apiKey,
  ...hostDefaults,
  mode,
});

/** Returns the provider with the simulator in its place. A provider with credentials stays as it is. */
const simulate = (provider: Provider, simulator: Simulator): Provider =>
  provider.mode === 'live'
    ? provider
    : {
        ...provider,
        baseUrl: simulator.url,
        apiKey: simulator.apiKey,
        mode: 'simulated',
        quirks: provider.quirks.filter((quirk) => quirk !== 'deployment-in-path'),
      };

const hostDefaults = {
  keyHeader: null,
  query: '',
  quirks: [],
  refuses: [],
  cloud: null,
  headers: {},
  forwardHeaders: null,
  allowFields: new Set<ReservedField>(),
  isInside: false,
  maxConcurrent: null,
  batch: 'none',
  probe: null,
  timeouts: DEFAULT_TIMEOUTS,
  missingVariables: [],
  source: 'built-in',
} as const;

function providerOfHost(host: Host, around: ProviderSurroundings): Provider {
  const { environment } = around;
  const { id, wires, keyVariables } = host;
  const vertex = host.cloud === undefined ? undefined : vertexProvider(host, around);
  if (vertex) return vertex;
  const isKeyless = host.cloud !== undefined; // its variable has a project, which is no key
  const apiKey = (!isKeyless && keyVariables.map((name) => environment[name]).find((value) => value)) || null;
  const place = ownPlace(host, environment);
  if (apiKey !== null && 'baseUrl' in place) {
    return { id, wires, ...hostDefaults, ...place, apiKey, mode: 'live', source: 'environment' };
  }
  // Any of the key variables is enough, and the first is the vendor's own.
  const missingKey = isKeyless ? [missingForVertex(environment)] : keyVariables.slice(0, 1);
  const missingVariables = [
    ...(apiKey === null ? missingKey : []),
    ...('missing' in place ? place.missing : []),
  ];
  const filled = fillAddress(host.baseUrl, environment);
  const baseUrl = 'address' in filled ? filled.address : host.baseUrl;
  // The simulator stands in for the host with the host's own forms.
  const { quirks = [], refuses = [] } = host;
  const own = { ...hostDefaults, quirks, refuses };
  return { id, wires, ...own, baseUrl, apiKey: null, missingVariables, mode: 'not-set-up' };
}

/**
 * Builds the provider of Vertex AI with application default credentials.
 * Returns undefined if the environment has no project.
 */
function vertexProvider({ id, wires }: Host, around: ProviderSurroundings): Provider | undefined {
  const { environment, credentialOf = noCredential } = around;
  const plan = vertexPlan(environment);
  if (plan === undefined) return undefined;
  const cloud = { plan, credential: credentialOf(id, plan) };
  return {
    id,
    wires,
    ...hostDefaults,
    baseUrl: vertexAddress(plan.region),
    apiKey: null,
    cloud,
    mode: 'live',
    source: 'environment',
  };
}

/** Builds the provider of a local host. Returns undefined if the host was not found and nothing names it. */
function providerOfLocalHost(
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

type ProviderAddress = Pick<Provider, 'baseUrl' | 'query' | 'keyHeader' | 'quirks' | 'refuses'>;

/** Builds the address and settings of a host, or names the environment variables that are missing. */
function ownPlace(
  host: Host,
  environment: ProviderSurroundings['environment'],
): ProviderAddress | { missing: string[] } {
  const base = fillAddress(host.baseUrl, environment);
  const missing = 'missing' in base ? base.missing : [];
  const query: [string, string][] = [];
  for (const [name, template] of Object.entries(host.query ?? {})) {
    const filled = fillAddress(template, environment);
    if ('missing' in filled) missing.push(...filled.missing);
    else query.push([name, filled.address]);
  }
  if ('missing' in base) return { missing };
  // An address from the environment that cannot be called is as good as none.
  if (!isReachableAddress(base.address)) return { missing: [...requiredVariables(host.baseUrl), ...missing] };
  if (missing.length > 0) return { missing };
  const { keyHeader = null, quirks = [], refuses = [] } = host;
  return { baseUrl: base.address, query: formatQuery(query), keyHeader, quirks, refuses };
}

const formatQuery = (pairs: readonly [string, string][]): string =>
  new URLSearchParams(pairs as [string, string][]).toString();

/** Builds a provider of the configuration file. It needs no key, since many local servers have none. */
export function providerOfRow(row: ProviderRow, around: ProviderSurroundings): Provider {
  const baseUrl = addressOf(row);
  const { connect_ms, first_byte_ms, idle_ms, total_ms } = row.timeouts;
  return {
    id: row.id,
    wires: row.wires ?? (row.wire ? [row.wire] : []),
    missingVariables: [],
    baseUrl,
    apiKey: row.api_key || null,
    keyHeader: row.key_header,
    query: formatQuery(Object.entries(row.query)),
    quirks: row.quirks,
    refuses: row.refuses,
    cloud: cloudOf(row, around),
    headers: row.headers,
    forwardHeaders: row.forward_headers,
    allowFields: new Set(row.allow_fields),
    isInside: isInsideHost(new URL(baseUrl).hostname),
    maxConcurrent: row.max_concurrent,
    batch: row.batch,
    probe: row.probe && { intervalMs: msOf(row.probe.interval_s), path: row.probe.path },
    timeouts: { connectMs: connect_ms, firstByteMs: first_byte_ms, idleMs: idle_ms, totalMs: total_ms },
    mode: 'live',
    source: 'file',
  };
}

/** Without a factory, as in checks of a configuration, a credential is never asked. */
const cloudOf = (
  row: ProviderRow,
  { environment, credentialOf }: ProviderSurroundings,
): CloudAccess | null => {
  const plan = planOfRow(row, environment);
  return plan && { plan, credential: (credentialOf ?? noCredential)(row.id, plan) };
};

const noCredential: CredentialFactory = (_, { kind }) => ({
  current: () => Promise.reject(new CredentialFailure(kind, 'no credentials are read here')),
  renew: async () => undefined,
  renewedInVain: () => {},
  refreshIfDue: () => {},
  reload: () => {},
  state: () => ({ kind, source: null, expiresAt: null, refreshedAt: null, error: null }),
  secrets: () => [],
});

/** The configuration check ensures that a row without an address is one of Google. */
const addressOf = ({ base_url, google }: ProviderRow): string =>
  (base_url ?? vertexAddress(google?.region ?? 'global')).replace(/\/+$/, '');
