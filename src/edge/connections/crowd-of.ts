import type { ClientConnection } from './client-connection.ts';

type Crowd = { connections: ClientConnection[]; excess: number };

/**
 * Lists the networks that exceed their limit, each with its connections. Connections that have been quiet the
 * longest come first.
 */
export function crowdOf(all: readonly ClientConnection[], perNetwork: number): Crowd[] {
  if (all.length <= perNetwork) return [];
  const byNetwork = Map.groupBy(all, ({ network }) => network);
  byNetwork.delete(undefined);
  return [...byNetwork.values()]
    .filter((connections) => connections.length > perNetwork)
    .map((connections) => ({
      connections: connections.sort((a, b) => b.figures.sinceReceivedMs - a.figures.sinceReceivedMs),
      excess: connections.length - perNetwork,
    }));
}
