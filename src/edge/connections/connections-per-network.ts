/** More than any one network needs: a plan's limits end far below it. */
const MOST = 2_048;

/**
 * How many connections one network may have where the operator does not say: a quarter of the process's descriptors, so that no single
 * network keeps the others out. A request in flight takes a second descriptor, for its upstream.
 */
export const connectionsPerNetwork = (descriptors: number | undefined): number =>
  descriptors === undefined ? MOST : Math.min(MOST, Math.max(1, Math.floor(descriptors / 4)));
