import { clientAddress } from '../../settings/config/client-network.ts';
import { networkOf, networksOf } from '../../settings/config/network-of-address.ts';
import type { Exchange } from './exchange.ts';

/** Returns the network of the client, behind proxies that the operator trusts. */
export const clientNetwork = (exchange: Exchange): string => networkOf(addressOf(exchange));

/** The networks of the client, the narrowest first. The first one is that of `clientNetwork`. */
export const clientNetworks = (exchange: Exchange): string[] => networksOf(addressOf(exchange));

function addressOf(exchange: Exchange): string {
  const { request, snapshot } = exchange;
  const forwardedFor = request.headers.get('x-forwarded-for');
  return clientAddress(exchange.peer(), forwardedFor, snapshot.trustedProxies);
}
