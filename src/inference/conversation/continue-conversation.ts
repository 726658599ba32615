import { Refusal } from '../../base/errors/refusal.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { asksToStore, withoutStoring } from './without-storing.ts';

/**
 * Loads the conversation that a request continues, in a dialect whose answers are stored. If the account has
 * no storage left, the answer is not stored.
 */
export const continueConversation: Step = (inference) =>
  inference.dialect.keepsAnswers ? continueStored(inference) : undefined;

async function continueStored(inference: Inference): Promise<Refusal | undefined> {
  const { exchange, principal, request, services } = inference;
  const isUnstorable =
    asksToStore(request) &&
    request.body.value.background !== true && // its quota was checked when it was queued
    (await services.storage.noSpaceFor(exchange, principal, request.body.text.length)) !== undefined;
  if (isUnstorable) inference.request = withoutStoring(request);
  const conversation = await services.conversations.prepare(inference);
  if (conversation instanceof Refusal) return conversation;
  inference.conversation = conversation;
  inference.clientRequest = conversation.request;
  inference.request = conversation.request;
  return undefined;
}
