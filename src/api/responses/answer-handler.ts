import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Handler } from '../../edge/http/route.ts';
import type { LoadCaller } from '../../inference/responses/loads.ts';
import type { ResponseLookup } from '../../inference/responses/response-store.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { StoredAnswers } from './stored-answers.ts';

type AnswerHandlerParts = {
  authenticator: Pick<Authenticator, 'authenticateRead'>;
  clock: Clock;
  answers: StoredAnswers;
  keyHeader: 'bearer' | 'google';
};

type HandleAnswer = (wanted: ResponseLookup, caller: LoadCaller) => Promise<Reply | Refusal>;

/** Makes a handler for the stored answer that the path names. It finds only answers of the caller's key. */
export const answerHandler =
  ({ authenticator, clock, answers, keyHeader }: AnswerHandlerParts, handle: HandleAnswer): Handler =>
  async (exchange) => {
    const principal = await authenticator.authenticateRead(exchange, keyHeader);
    if (principal instanceof Refusal) return principal;
    const id = exchange.params.id!;
    if (!answers.isOwn(id)) return answers.notFound(id);
    return handle({ id, keyId: principal.apiKey.id, now: clock.now() }, { exchange, principal });
  };
