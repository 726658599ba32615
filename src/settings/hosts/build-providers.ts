import { regionOfHost } from '../../base/lib/aws-region.ts';
import { isInsideHost } from '../../base/lib/host-name.ts';
import type { ReservedField } from '../../translation/canonical/reserved-field.ts';
import { wires } from '../../translation/canonical/wire.ts';
import type { Config, ProviderRow } from '../config/config-schema.ts';
import { isReachableAddress } from '../config/is-reachable-address.ts';
import { fillAddress } from './fill-address.ts';
import { type Host, hosts } from './hosts.ts';
import { type LocalHost, localAddress, localHosts } from './local-hosts.ts';
import type { AwsAccess, Provider, Providers } from './providers.ts';

export type ProviderSurroundings = {
  environment: Readonly<Record<string, string | undefined>>;
  /** Address and key of the built-in simulator. Null: the simulator does not run. */
  simulator: { url: string; apiKey: string } | null;
  /** The ids of the local servers that were found. */
  found?: ReadonlySet<string>;
};

const DEFAULT_TIMEOUTS = { connectMs: 5_000, firstByteMs: 120_000, idleMs: 60_000, totalMs: 1_800_000 };

/** The provider id of the built-in simulator for an operator's own targets, on every wire. */
const SIMULATOR_ID = 'simulator';

/**
 * Reports whether the simulator answers for hosts without credentials. In mode `auto` it does so only while the configuration names no
 * provider. A first start then works at once, and a real installation never mixes simulated and real answers.
 */
export function standInWanted(config: Config): boolean {
  return (
    config.simulator.mode === 'on' || (config.simulator.mode === 'auto' && config.providers.length === 0)
  );
}

/** Reports whether the simulator must run. */
export const simulatorWanted = (config: Config): boolean => config.simulator.mode !== 'off';

export function buildProviders(config: Config, around: ProviderSurroundings): Providers {
  const standIn = standInWanted(config) ? around.simulator : null;
  const providers = new Map<string, Provider>();
  if (around.simulator) providers.set(SIMULATOR_ID, simulatorProvider(around.simulator));
  if (config.catalog.default) {
    for (const host of hosts) providers.set(host.id, providerOfHost(host, around.environment, standIn));
  }
  for (const host of localHosts) {
    const provider = providerOfLocalHost(host, config, around);
    if (provider) providers.set(host.id, provider);
  }
  for (const row of config.providers) providers.set(row.id, providerOfRow(row));
  return providers;
}

const simulatorProvider = (simulator: { url: string; apiKey: string }): Provider => ({
  id: SIMULATOR_ID,
  wires,
  baseUrl: simulator.url,
  apiKey: simulator.apiKey,
  ...hostDefaults,
  mode: 'simulated',
});

const hostDefaults = {
  keyHeader: null,
  query: '',
  quirks: [],
  aws: null,
  headers: {},
  forwardHeaders: null,
  allowFields: new Set<ReservedField>(),
  isInside: false,
  maxConcurrent: null,
  batch: 'none',
  probe: null,
  timeouts: DEFAULT_TIMEOUTS,
  source: 'built-in',
} as const;

function providerOfHost(
  host: Host,
  environment: ProviderSurroundings['environment'],
  standIn: ProviderSurroundings['simulator'],
): Provider {
  const apiKey = host.keyVariables.map((name) => environment[name]).find((value) => value) ?? null;
  const own = apiKey === null ? undefined : ownPlace(host, environment);
  if (own) return { id: host.id, wires: host.wires, ...hostDefaults, ...own, apiKey, mode: 'live' };
  const reached = standIn
    ? ({ baseUrl: standIn.url, apiKey: standIn.apiKey, mode: 'simulated' } as const)
    : ({ baseUrl: host.baseUrl, apiKey: null, mode: 'not-set-up' } as const);
  return { id: host.id, wires: host.wires, ...hostDefaults, ...reached };
}

/** Builds the provider of a local host. Undefined: the host was not found and nothing names it. */
function providerOfLocalHost(
  host: LocalHost,
  config: Config,
  { environment, found }: ProviderSurroundings,
): Provider | undefined {
  const { address, apiKey, isSwitchedOn } = localAddress(host, config, environment);
  const isFound = found?.has(host.id) ?? false;
  const isNamed = config.catalog.models.some(({ routes }) =>
    routes.some(({ provider }) => provider === host.id),
  );
  if (!isSwitchedOn && !isFound && !isNamed) return undefined;
  const { id, wires, quirks } = host;
  return {
    ...{ id, wires, ...hostDefaults, quirks, apiKey, baseUrl: `${address}/v1` },
    isInside: true,
    mode: isSwitchedOn || isFound ? 'live' : 'not-set-up',
    source: isFound && !isSwitchedOn ? 'found' : 'built-in',
  };
}

type Place = Pick<Provider, 'baseUrl' | 'query' | 'keyHeader' | 'quirks'>;

/** Builds the address and settings of a host. Undefined: an environment variable is missing. */
function ownPlace(host: Host, environment: ProviderSurroundings['environment']): Place | undefined {
  const baseUrl = fillAddress(host.baseUrl, environment);
  if (baseUrl === undefined || !isReachableAddress(baseUrl)) return undefined;
  const query: [string, string][] = [];
  for (const [name, template] of Object.entries(host.query ?? {})) {
    const value = fillAddress(template, environment);
    if (value === undefined) return undefined;
    query.push([name, value]);
  }
  const { keyHeader = null, quirks = [] } = host;
  return { baseUrl, query: formatQuery(query), keyHeader, quirks };
}

const formatQuery = (pairs: readonly [string, string][]): string =>
  new URLSearchParams(pairs as [string, string][]).toString();

/** Builds a provider of the configuration file. It needs no key, since many local servers have none. */
function providerOfRow(row: ProviderRow): Provider {
  const { connect_ms, first_byte_ms, idle_ms, total_ms } = row.timeouts;
  return {
    id: row.id,
    wires: row.wires ?? (row.wire ? [row.wire] : []),
    baseUrl: row.base_url.replace(/\/+$/, ''),
    apiKey: row.api_key || null,
    keyHeader: row.key_header,
    query: formatQuery(Object.entries(row.query)),
    quirks: row.quirks,
    aws: awsOf(row),
    headers: row.headers,
    forwardHeaders: row.forward_headers,
    allowFields: new Set(row.allow_fields),
    isInside: isInsideHost(new URL(row.base_url).hostname),
    maxConcurrent: row.max_concurrent,
    batch: row.batch,
    probe: row.probe && { intervalMs: row.probe.interval_s * 1_000, path: row.probe.path },
    timeouts: { connectMs: connect_ms, firstByteMs: first_byte_ms, idleMs: idle_ms, totalMs: total_ms },
    mode: 'live',
    source: 'file',
  };
}

/** Returns the AWS credentials with their region. The configuration check ensures that there is one. */
function awsOf({ aws, base_url }: ProviderRow): AwsAccess | null {
  const region = aws && (aws.region ?? regionOfHost(new URL(base_url).hostname));
  if (!aws || !region) return null;
  const { access_key_id, secret_access_key, session_token } = aws;
  const session = session_token === null ? {} : { sessionToken: session_token };
  return {
    region,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key, ...session },
  };
}
