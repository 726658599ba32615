import { isIPv6 } from 'node:net';
import type { Environment } from '../../base/lib/environment.ts';
import type { Config } from '../config/config-schema.ts';
import { hasUsableHost } from '../config/has-usable-host.ts';
import type { LocalHost } from './local-hosts.ts';

/** The address of a local host, without the `/v1` of its protocols. */
export type LocalAddress = {
  address: string;
  apiKey: string | null;
  /** True if a variable names the host, which is then set up even if it is not running. */
  isSwitchedOn: boolean;
};

/** Returns the address of a local host: from its variable, otherwise from the configuration. */
export function localAddress(host: LocalHost, config: Config, environment: Environment): LocalAddress {
  const named = parseLocalAddress(environment[host.addressVariable] ?? '', host.port);
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
 * Parses an address like the host's own programs: a host, a port after a colon, both, or a URL. An IPv6
 * address needs no brackets if it has no port. An address for all interfaces or without a host becomes a
 * local one. Returns undefined if the text is empty or invalid.
 */
function parseLocalAddress(text: string, port: number): string | undefined {
  const trimmed = bracketed(text.trim());
  if (trimmed === '') return undefined;
  const hasScheme = trimmed.includes('://');
  const address = hasScheme ? trimmed : `http://${trimmed}`;
  const url = URL.parse(address.replace(BEFORE_LONE_PORT, '127.0.0.1'));
  if (url === null || !/^https?:$/.test(url.protocol) || !hasUsableHost(url.href)) return undefined;
  if (!hasScheme && url.port === '' && !NAMES_PORT_80.test(trimmed)) url.port = String(port);
  if (EVERY_INTERFACE.has(url.hostname)) url.hostname = '127.0.0.1';
  return withoutVersion(url.origin + url.pathname);
}

const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

const withoutVersion = (address: string): string => address.replace(/(\/v1)?\/*$/, '');
