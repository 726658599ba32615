import type { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { ArrivedRequest } from './arrived-request.ts';

/** Answers requests whose answers are recorded: with an earlier answer, or with the one that `make` makes. */
export type AnswerRecorder = {
  /** Returns undefined for an ordinary request. */
  answer(arrived: ArrivedRequest, make: () => Promise<Reply | Refusal>): Promise<Reply | Refusal> | undefined;
};
