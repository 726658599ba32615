import type { Exchange } from './exchange.ts';

/** The configured address without a slash at its end, else the one that the client used: the edge has checked the header. */
export function publicUrl({ snapshot, request }: Pick<Exchange, 'snapshot' | 'request'>): string {
  const { public_url } = snapshot.config.server;
  return public_url?.replace(/\/+$/, '') ?? `http://${request.headers.get('host')}`;
}
