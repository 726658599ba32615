import type { FinishedJob } from '../../base/jobs/job.ts';
import type { PlanClass } from '../../upstream/capacity/plan-class.ts';
import type { Trail } from '../../upstream/routing/trail.ts';

/** The settings of a request that no client waits for: an item of a batch. */
export type Unattended = {
  planClass: PlanClass;
  /** The time of the batch's creation, which prices are taken at. */
  pricedAt: number;
  /** Builds the batch's record of the whole answer, which is written together with the charge. */
  finish(answer: { text: string; isSimulated: boolean }): FinishedJob;
  /** The request is sent in a provider's own batch. */
  isNative?: true;
  /** The trail to fill in, for a caller that needs to know whether the item was sent. */
  trail?: Trail;
};
