import type { Environment } from '../../base/lib/environment.ts';
import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Config } from '../config/config-schema.ts';
import { isReachableAddress } from '../config/is-reachable-address.ts';

/** A program that serves models on the gateway's machine. */
export type LocalHost = {
  id: string;
  /** The name of its address in the configuration. */
  setting: 'ollama' | 'vllm' | 'llama_cpp';
  /** The variable that overrides the address and enables the host, even if it is not running. */
  addressVariable: string;
  /** The variable of the key. The key is sent only to an address that the operator configured. */
  keyVariable: string;
  /** The port of an address without one. */
  port: number;
  wires: readonly Wire[];
  quirks: readonly Quirk[];
};

const wires: readonly Wire[] = ['openai-chat', 'openai-embeddings'];

/** Their chat templates have no `developer` role, and their ceiling counts every token that is generated. */
export const localHosts = [
  {
    id: 'ollama',
    setting: 'ollama',
    addressVariable: 'OLLAMA_HOST',
    keyVariable: 'OLLAMA_API_KEY',
    port: 11_434,
    wires,
    quirks: ['max-tokens-only', 'no-developer-role', 'thinking-in-ceiling'],
  },
  {
    id: 'vllm',
    setting: 'vllm',
    addressVariable: 'VLLM_BASE_URL',
    keyVariable: 'VLLM_API_KEY',
    port: 8_000,
    wires,
    quirks: ['no-developer-role', 'thinking-in-ceiling'],
  },
  {
    id: 'llama.cpp',
    setting: 'llama_cpp',
    addressVariable: 'LLAMA_CPP_BASE_URL',
    keyVariable: 'LLAMA_API_KEY',
    port: 8_080,
    wires,
    quirks: ['max-tokens-only', 'no-developer-role', 'thinking-in-ceiling'],
  },
] as const satisfies readonly LocalHost[];

export type LocalHostId = (typeof localHosts)[number]['id'];

/** The address of a local host, without the `/v1` of its protocols. */
export type LocalAddress = {
  address: string;
  apiKey: string | null;
  /** True if a variable names the host. It is then set up even if it is not running. */
  isSwitchedOn: boolean;
};

/** Returns the address of a local host: from its variable, otherwise from the configuration. */
export function localAddress(host: LocalHost, config: Config, environment: Environment): LocalAddress {
  const named = readAddress(environment[host.addressVariable] ?? '', host.port);
  if (named === undefined) {
    const address = withoutVersion(config.local_servers[host.setting]);
    return { address, apiKey: null, isSwitchedOn: false };
  }
  return { address: named, apiKey: environment[host.keyVariable] || null, isSwitchedOn: true };
}

const EVERY_INTERFACE = new Set(['0.0.0.0', '[::]']);
const BEFORE_LONE_PORT = /(?<=^https?:\/\/)(?=:\d)/i;
/** A parsed URL omits port 80, so the text decides whether an address without a scheme has it. */
const NAMES_PORT_80 = /^[^/?#]*:80(?:[/?#]|$)/;

/**
 * Parses an address like the host's own programs: a host, a port after a colon, both, or a URL. An address
 * for all interfaces or without a host becomes a local one.
 */
function readAddress(text: string, port: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const hasScheme = trimmed.includes('://');
  const address = hasScheme ? trimmed : `http://${trimmed}`;
  const url = URL.parse(address.replace(BEFORE_LONE_PORT, '127.0.0.1'));
  if (url === null || !/^https?:$/.test(url.protocol) || !isReachableAddress(url.href)) return undefined;
  if (!hasScheme && url.port === '' && !NAMES_PORT_80.test(trimmed)) url.port = String(port);
  if (EVERY_INTERFACE.has(url.hostname)) url.hostname = '127.0.0.1';
  return withoutVersion(url.origin + url.pathname);
}

const withoutVersion = (address: string): string => address.replace(/(\/v1)?\/*$/, '');
