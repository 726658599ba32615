import { clientAddress, networkOf } from '../../settings/config/client-network.ts';
import type { Exchange } from './exchange.ts';

/** The network of the client, behind proxies that the operator trusts. */
export function clientNetwork(exchange: Exchange): string {
  const { request, snapshot } = exchange;
  const forwardedFor = request.headers.get('x-forwarded-for');
  return networkOf(clientAddress(exchange.peer(), forwardedFor, snapshot.trustedProxies));
}
