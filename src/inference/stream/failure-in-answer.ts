import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import { failureOf } from '../../upstream/calling/failure-of.ts';
import { answerFailure } from '../../upstream/calling/failures.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';

/** Returns the failure for an error while an answer is read: the upstream's own, or a fault of the answer. */
export const failureInAnswer = (error: unknown): UpstreamFailure =>
  error instanceof RefusedAnswer ? answerFailure(error.refusal) : failureOf(error);
