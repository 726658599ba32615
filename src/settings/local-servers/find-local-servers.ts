import type { Environment } from '../../base/lib/environment.ts';
import { isLoopback } from '../../base/lib/is-loopback.ts';
import type { Config } from '../config/config-schema.ts';
import { type LocalAddress, localAddress } from '../hosts/local-address.ts';
import { type LocalHost, type LocalHostId, localHosts } from '../hosts/local-hosts.ts';
import { type AskServer, createServerAsker } from './create-server-asker.ts';
import type { FoundServers } from './found-servers.ts';
import type { LocalModel } from './local-model.ts';
import { readLlamaCpp } from './read-llama-cpp.ts';
import { readOllama } from './read-ollama.ts';
import { readVllm } from './read-vllm.ts';

/** The function that recognises each kind of server and lists its models. */
const readers: Record<LocalHostId, (ask: AskServer) => Promise<LocalModel[] | undefined>> = {
  ollama: readOllama,
  vllm: readVllm,
  'llama.cpp': readLlamaCpp,
};

/** The timeout of a request. A local answer takes milliseconds. */
const TIMEOUT_MS = 2_000;

export type Search = {
  config: Config;
  environment: Environment;
  /** The gateway's own port. A server at this port is skipped. */
  ownPort: number;
  stopped: AbortSignal;
};

/** Finds the local servers that run now. */
export async function findLocalServers(search: Search): Promise<FoundServers> {
  const searches = localHosts.map(async (host) => {
    const place = localAddress(host, search.config, search.environment);
    if (!isWanted(host, place, search)) return [];
    const models = await readers[host.id](createServerAsker(place, search.stopped, TIMEOUT_MS));
    return models ? [[host.id, { address: place.address, models }] as const] : [];
  });
  return new Map((await Promise.all(searches)).flat());
}

function isWanted(
  { id }: LocalHost,
  { address, isSwitchedOn }: LocalAddress,
  { config, ownPort }: Search,
): boolean {
  const { local_servers, catalog, providers } = config;
  if (local_servers.mode === 'off' || isOurs(address, ownPort)) return false;
  if (providers.some((row) => row.id === id)) return false;
  const isNamed = catalog.models.some(({ routes }) => routes.some(({ provider }) => provider === id));
  if (local_servers.mode === 'on' || isSwitchedOn || isNamed) return true;
  return catalog.default && providers.length === 0;
}

function isOurs(address: string, ownPort: number): boolean {
  const { hostname, port } = new URL(address);
  return isLoopback(hostname) && Number(port) === ownPort;
}
