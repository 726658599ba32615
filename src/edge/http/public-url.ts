import { isTrustedProxy } from '../../settings/config/client-network.ts';
import type { Exchange } from './exchange.ts';
import { isHost } from './is-host.ts';

type AddressedExchange = Pick<Exchange, 'snapshot' | 'request' | 'peer'>;

/** Returns the configured address without a trailing slash, or else the address that the client used. */
export const publicUrl = (exchange: AddressedExchange): string =>
  exchange.snapshot.config.server.public_url?.replace(/\/+$/, '') ?? addressUsed(exchange);

/**
 * Returns the address that the client used. A trusted proxy reports it in `x-forwarded-proto` and
 * `x-forwarded-host`, and these headers of other senders are ignored. The edge has validated the Host header.
 */
export function addressUsed(exchange: AddressedExchange): string {
  const { headers } = exchange.request;
  const proto = reported(exchange, 'x-forwarded-proto', isScheme)?.toLowerCase() ?? 'http';
  return `${proto}://${reported(exchange, 'x-forwarded-host', isHost) ?? headers.get('host')}`;
}

/**
 * Reports whether the client's own connection is encrypted. The gateway itself has no TLS, so a trusted proxy
 * reports it.
 */
export const isByTls = (exchange: AddressedExchange): boolean =>
  reported(exchange, 'x-forwarded-proto', isScheme)?.toLowerCase() === 'https';

const isScheme = (text: string): boolean => /^https?$/i.test(text);

/** The last of several values counts, since the proxy nearest to the gateway appended it. */
function reported(
  exchange: AddressedExchange,
  name: string,
  isValid: (value: string) => boolean,
): string | undefined {
  const value = exchange.request.headers.get(name)?.split(',').at(-1)?.trim();
  if (value === undefined || !isValid(value)) return undefined;
  return isTrustedProxy(exchange.peer(), exchange.snapshot.trustedProxies) ? value : undefined;
}
