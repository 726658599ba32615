import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { DashboardParts } from './dashboard-parts.ts';

/** Runs work whose hashes wait in the line of the client's network. */
export const hashAsGuest = <Result>(
  { hashing }: Pick<DashboardParts, 'hashing'>,
  exchange: Exchange,
  work: () => Promise<Result>,
): Promise<Result> => hashing.as({ network: clientNetworks(exchange).at(-1)! }, work);
