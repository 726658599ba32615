import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The time that a statement takes in Postgres: a fixed part, and a part for each request of its group.
 * In milliseconds of one core.
 */
export type StatementCost = { fixedMs: number; eachMs: number };

export type ServiceTimes = {
  gate: StatementCost;
  settle: StatementCost;
  /** The flush of the log. */
  flushMs: number;
  /** The bytes of log that a request writes. */
  logBytes: number;
  /** The CPU time of a node for a request. */
  nodeMs: number;
};

/** Service times with the place where they were measured. */
export type MeasuredTimes = { measuredOn: string; machine: string; times: ServiceTimes };

const file = join(import.meta.dir, 'service-times.json');

/** The figures that `bench/scale/measure-service-times.ts` wrote last. */
export const measured: MeasuredTimes = JSON.parse(readFileSync(file, 'utf8'));

export const saveTimes = (times: MeasuredTimes): void =>
  writeFileSync(file, `${JSON.stringify(times, null, 2)}\n`);
