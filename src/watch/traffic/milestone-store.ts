/** An event that is noted the first time. `answer`: a live provider answered a request. */
export type Milestone = 'answer';

/** The port for the times at which something first happened, in milliseconds. */
export interface MilestoneStore {
  /** Notes a time unless an earlier one is known. */
  noteMilestone(name: Milestone, at: number): Promise<void>;
  /** Returns the noted time. Returns undefined if the milestone has not been reached. */
  milestone(name: Milestone): Promise<number | undefined>;
}
