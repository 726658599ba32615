import type { Estimator } from '../canonical/estimator.ts';
/** What an answer is labelled with in place of what the upstream calls itself. */
export type AnswerLabel = {
  id: string;
  model: string;
  /** What the model entry states. */
  vectorWidth?: number | undefined;
  /** For hosts that do not count. */
  estimate: Estimator;
};
