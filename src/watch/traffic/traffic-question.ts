import type { TrafficCut } from './traffic-cut.ts';
import type { TrafficColumn, TrafficPlace, TrafficSums } from './traffic-figures.ts';
import type { TrafficStep } from './traffic-step.ts';

/** `from` is inclusive and `to` exclusive, both in steps since 1970. */
export type TrafficQuestion = {
  step: TrafficStep;
  cut: TrafficCut;
  from: number;
  to: number;
  /** The number of steps of an interval. `null` means that the whole span is one interval. */
  every: number | null;
  groupBy: TrafficColumn | null;
  /**
   * The groups of the answer. All other groups are summed as `OTHER_GROUPS`. Undefined if the answer has
   * every group.
   */
  groups?: readonly string[] | undefined;
  where: Partial<TrafficPlace>;
};

/** The name of the sum of all groups that a question does not list. */
export const OTHER_GROUPS = '*';

/** `interval` counts from 0 at `from`. `group` is null without a grouping. */
export type TrafficAnswer = TrafficSums & { interval: number; group: string | null };
