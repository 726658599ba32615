import type { ServiceTimes } from './service-times.ts';

/** The plan that is simulated, and its load. */
export type SimulationOrder = {
  nodes: number;
  accounts: number;
  requestsPerSecond: number;
  /** Databases, each with the accounts of one group. */
  databases: number;
  /** Cores of each database. */
  cores: number;
  /** The mean time of the provider's answer between admission and settlement. */
  answerMs: number;
  /** The share of requests that belongs to the busiest account. */
  hotShare: number;
  /** True if the load balancer sends an account only to the nodes of its database. */
  isRouted: boolean;
  /** The time of a packet between a node and its database and back. */
  roundTripMs: number;
  /** The megabytes that the disk of each database writes in a second. */
  logMegabytesPerSecond: number;
  forMs: number;
  seed: number;
  times: ServiceTimes;
};
