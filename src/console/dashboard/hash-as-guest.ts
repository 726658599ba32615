import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { DashboardParts } from './dashboard-parts.ts';

/**
 * Runs work whose hashes wait in the line of the client's network. A known device has a place of its own. The
 * last network of a client is the widest one, and every client has one.
 */
export const hashAsGuest = <Result>(
  { hashing }: DashboardParts,
  exchange: Exchange,
  work: () => Promise<Result>,
  device?: string,
): Promise<Result> => hashing.as({ network: clientNetworks(exchange).at(-1)!, device }, work);
