import type { Exchange } from './exchange.ts';

/**
 * Returns the configured address without a trailing slash, or else the address that the client used. The edge has validated the Host
 * header.
 */
export function publicUrl({ snapshot, request }: Pick<Exchange, 'snapshot' | 'request'>): string {
  const { public_url } = snapshot.config.server;
  return public_url?.replace(/\/+$/, '') ?? `http://${request.headers.get('host')}`;
}
