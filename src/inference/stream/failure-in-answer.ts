import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import { failureOf } from '../../upstream/calling/failure-of.ts';
import { refusedAnswer, type UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';

/** Returns the failure for an error while an answer is read: the upstream's own, or a fault of the answer. */
export const failureInAnswer = (error: unknown): UpstreamFailure =>
  error instanceof RefusedAnswer ? refusedAnswer(error.refusal) : failureOf(error);
