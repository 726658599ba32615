import { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { answerInParts } from '../fan-out/answer-in-parts.ts';
import type { Inference } from '../request/inference.ts';
import { askTargets } from './ask-targets.ts';

/**
 * Asks the targets of the model for the answer.
 * Several answers are asked for one by one if no target takes the whole request.
 */
export const askModel = (inference: Inference): Promise<Reply | Refusal> =>
  (inference.request.answers ?? 1) > 1 ? askForSeveral(inference) : askTargets(inference);

async function askForSeveral(inference: Inference): Promise<Reply | Refusal> {
  const whole = await askTargets(inference, { only: 'same-wire' });
  return whole instanceof Refusal ? answerInParts(inference, whole) : whole;
}
