import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import type { KeptEntry } from '../../money/ledger/entry-text.ts';
import type { TrafficColumn, TrafficPlace, TrafficSums } from './traffic-figures.ts';

/** Figures are summed by minute, hour and day. Each is kept for its time. */
export const trafficSteps = {
  minute: { number: 0, ms: 60_000, keptMs: 2 * DAY_MS },
  hour: { number: 1, ms: HOUR_MS, keptMs: 35 * DAY_MS },
  day: { number: 2, ms: DAY_MS, keptMs: 400 * DAY_MS },
} as const;
export type TrafficStep = keyof typeof trafficSteps;

/**
 * Each request counts in several cuts of a step. `whole` leaves out account and key, `accounts` has them
 * alone, and `details` has every column. A question reads the smallest cut that has its columns.
 * The node is in each.
 */
export const trafficCuts = { whole: 0, accounts: 1, details: 2 } as const;
export type TrafficCut = keyof typeof trafficCuts;

/**
 * The figures of one minute, hour or day since 1970 (`at`).
 * A later row of the same place, node and `part` replaces an earlier one.
 */
export type TrafficRow = TrafficSums & {
  step: TrafficStep;
  cut: TrafficCut;
  at: number;
  place: TrafficPlace;
  /** It is unique among the rows that a node writes for a place. */
  part: number;
};

/** `from` is inclusive and `to` exclusive, both in steps since 1970. */
export type TrafficQuestion = {
  step: TrafficStep;
  cut: TrafficCut;
  from: number;
  to: number;
  /** The number of steps of an interval. `null` means that the span is one interval. */
  every: number | null;
  groupBy: TrafficColumn | null;
  /**
   * The groups of the answer. The others are summed as `OTHER_GROUPS`.
   * It is undefined if each group is in the answer.
   */
  groups?: readonly string[] | undefined;
  where: Partial<TrafficPlace>;
};

/** The group of what has no group of its own. */
export const OTHER_GROUPS = '*';

/** `interval` counts from 0 at `from`. `group` is null without a grouping. */
export type TrafficAnswer = TrafficSums & { interval: number; group: string | null };

/**
 * The charged requests that a process has counted at a time, in milliseconds. They are kept for some minutes.
 */
export type CountedRequests = { node: string; at: number; requestIds: readonly string[] };

/** An entry of the ledger as it is stored, with its place in the order of writing. */
export type NumberedEntry = KeptEntry & { number: number };

/**
 * The time of the first occurrence, in milliseconds.
 * `answer`: a provider answered a request, without simulation.
 */
export type Milestone = 'answer';

export interface TrafficStore {
  /** Writes rows, and in the same transaction which charged requests they count. It is safe to repeat. */
  saveTraffic(rows: readonly TrafficRow[], counted?: readonly CountedRequests[]): Promise<void>;
  /** Notes a time unless an earlier one is known. */
  noteMilestone(name: Milestone, at: number): Promise<void>;
  /** Returns when it happened, or undefined if it has not. */
  milestone(name: Milestone): Promise<number | undefined>;
  /** Lists what processes have noted, the earliest first. */
  countedRequests(): Promise<CountedRequests[]>;
  /** Forgets the notes of a process, or only those before a time. */
  forgetCounted(node: string, before?: number): Promise<void>;
  /**
   * Lists entries of the ledger before a number, the latest first.
   * On Postgres they are those of the node, if one is given.
   */
  entriesBefore(number: number | null, node: string | null): Promise<NumberedEntry[]>;
  readTraffic(question: TrafficQuestion): Promise<TrafficAnswer[]>;
  /**
   * Adds up the rows of past days, so that questions about long spans read fewer rows. Each call merges the
   * oldest span that one kind of merged rows lacks. Days from `before` on stay as they are.
   * Returns false if nothing is left to merge. A day that changes later is merged again.
   */
  mergeDays(before: number): Promise<boolean>;
  /** Lists the groups with the most requests, the first of them first. */
  busiestGroups(question: TrafficQuestion & { groupBy: TrafficColumn }, limit: number): Promise<string[]>;
  /** Removes the rows of the oldest minute, hour or day before this one. Returns how many it removed. */
  sweepTraffic(step: TrafficStep, before: number): Promise<number>;
}
