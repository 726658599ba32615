import type { CountedRequests } from './counted-request-store.ts';
import type { TrafficCut } from './traffic-cut.ts';
import type { TrafficColumn, TrafficPlace, TrafficSums } from './traffic-figures.ts';
import type { TrafficAnswer, TrafficQuestion } from './traffic-question.ts';
import type { TrafficStep } from './traffic-step.ts';

/**
 * The figures of one minute, hour or day. A later row of the same place, node and `part` replaces an earlier
 * one.
 */
export type TrafficRow = TrafficSums & {
  step: TrafficStep;
  cut: TrafficCut;
  /** The number of the minute, hour or day since 1970. */
  at: number;
  place: TrafficPlace;
  /** A number that is unique among the rows that a node writes for a place. */
  part: number;
};

/** The port for sums of traffic. */
export interface TrafficStore {
  /** Writes rows, and in the same transaction which charged requests they count. It is safe to repeat. */
  saveTraffic(rows: readonly TrafficRow[], counted?: readonly CountedRequests[]): Promise<void>;
  readTraffic(question: TrafficQuestion): Promise<TrafficAnswer[]>;
  /** Lists the groups with the most requests, the busiest first. */
  busiestGroups(question: TrafficQuestion & { groupBy: TrafficColumn }, limit: number): Promise<string[]>;
  /**
   * Adds up the rows of past days, so that questions about long spans read fewer rows. Each call merges the
   * oldest span that one kind of merged rows lacks. Days from `before` on stay as they are. Returns false if
   * nothing is left to merge. A day that changes later is merged again.
   */
  mergeDays(before: number): Promise<boolean>;
  /** Removes the rows of the oldest minute, hour or day before this one, and returns their number. */
  sweepTraffic(step: TrafficStep, before: number): Promise<number>;
}
