import type { ClientConnection } from './connection.ts';

type Crowd = { connections: ClientConnection[]; excess: number };

/** The networks that have more connections than they may, each with its connections: those that have been quiet the longest come first. */
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
