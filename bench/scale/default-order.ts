import { measured } from './service-times.ts';
import type { SimulationOrder } from './simulation-order.ts';

/** The plan of docs/scale.md: 100 nodes and a database with 32 cores, in one region with several zones. */
export const defaultOrder: SimulationOrder = {
  nodes: 100,
  accounts: 1_000_000,
  requestsPerSecond: 100_000,
  databases: 1,
  cores: 32,
  answerMs: 200,
  hotShare: 0,
  isRouted: false,
  roundTripMs: 0.6,
  logMegabytesPerSecond: 500,
  forMs: 2_000,
  seed: 1,
  times: measured.times,
};
