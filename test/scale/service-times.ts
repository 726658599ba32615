/** The time that a statement takes in Postgres: a fixed part, and a part for each request of its group. In milliseconds of one core. */
export type StatementCost = { fixedMs: number; eachMs: number };

export type ServiceTimes = {
  gate: StatementCost;
  settle: StatementCost;
  /** The flush of the log, and the network between a node and its database. */
  flushMs: number;
  roundTripMs: number;
  /** The bytes of log that a request writes. */
  logBytes: number;
};

/**
 * Measured with `test/scale/measure.ts` on two cores that other work loaded, so an idle server is faster. The network is that of one region
 * with several zones.
 */
export const measured: ServiceTimes = {
  gate: { fixedMs: 0.86, eachMs: 0.044 },
  settle: { fixedMs: 0.96, eachMs: 0.06 },
  flushMs: 2.4,
  roundTripMs: 0.6,
  logBytes: 850,
};
