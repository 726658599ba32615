import type { Host } from './host.ts';

/** Work that a host does at a time of the simulated clock. */
export type Task = {
  at: number;
  order: number;
  host: Host;
  what: string;
  run: () => void;
  isCanceled: boolean;
};

/** Orders tasks by their times. Tasks of one time keep the order in which they were added. */
export const isBefore = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
