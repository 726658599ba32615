import type { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { ArrivedRequest } from './arrived-request.ts';

/** Answers a request with an earlier recording, or records the answer that `make` returns. */
export type AnswerRecorder = {
  /** Returns undefined for an ordinary request. */
  answer(request: ArrivedRequest, make: () => Promise<Reply | Refusal>): Promise<Reply | Refusal> | undefined;
};
