import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';

/** Answers requests whose answers are recorded: with an earlier answer, or with the one that `make` makes. */
export type AnswerRecorder = {
  /** Returns undefined for an ordinary request. */
  answer(
    arrived: { exchange: Exchange; principal: Principal; body: JsonBody },
    make: () => Promise<Reply | Refusal>,
  ): Promise<Reply | Refusal> | undefined;
};
