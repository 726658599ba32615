import { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { answerInParts } from '../fan-out/answer-in-parts.ts';
import type { Inference } from '../request/inference.ts';
import { askTargets } from './ask-targets.ts';

/**
 * Asks the targets of the model for the answer. If no target takes a request for several answers, each answer
 * is asked for by itself.
 */
export const askModel = (inference: Inference): Promise<Reply | Refusal> =>
  (inference.request.answers ?? 1) > 1 ? askForSeveral(inference) : askTargets(inference);

async function askForSeveral(inference: Inference): Promise<Reply | Refusal> {
  const reply = await askTargets(inference, { only: 'same-wire' });
  return reply instanceof Refusal ? answerInParts(inference, reply) : reply;
}
