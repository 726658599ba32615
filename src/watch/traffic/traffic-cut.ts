/**
 * Each request counts in several cuts of a step. `whole` leaves out account and key, `accounts` has them
 * alone, and `details` has every column. A question reads the smallest cut that has its columns. Every cut
 * has the node.
 */
export const trafficCuts = { whole: 0, accounts: 1, details: 2 } as const;
export type TrafficCut = keyof typeof trafficCuts;
