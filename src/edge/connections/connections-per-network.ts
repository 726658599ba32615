/** The most connections of one network. The limits of plans are far lower. */
const MAX_CONNECTIONS = 2_048;

/**
 * Returns the default number of connections for one network: a quarter of the process's descriptors, so that
 * no network locks out the others. A request in flight takes a second descriptor, for its upstream.
 */
export const connectionsPerNetwork = (descriptors: number | undefined): number =>
  descriptors === undefined
    ? MAX_CONNECTIONS
    : Math.min(MAX_CONNECTIONS, Math.max(1, Math.floor(descriptors / 4)));
