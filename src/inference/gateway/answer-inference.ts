import type { Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { answerRequest } from '../answer/answer-request.ts';
import { leaveAfter } from '../conversation/leave-after.ts';
import { commitInTime } from '../reply/commit-in-time.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { closeTabAfter } from '../settlement/close-tab-after.ts';
import { prepareInference } from './prepare-inference.ts';

/** Answers a request whose caller is known and whose body is read. */
export function answerInference(inference: Inference): Promise<Reply | Refusal> {
  try {
    const preparing = prepareInference(inference);
    // A request that waits for nothing before its call costs one promise.
    return preparing === undefined ? answerPrepared(inference) : answerAfter(preparing, inference);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function answerAfter(preparing: ReturnType<Step>, inference: Inference): Promise<Reply | Refusal> {
  try {
    const refusal = await preparing;
    if (refusal) return leaveAfter(inference.conversation, refusal);
  } catch (error) {
    await inference.conversation?.leave?.();
    throw error;
  }
  return answerPrepared(inference);
}

/** Answers a request whose tab is open. */
export async function answerPrepared(inference: Inference): Promise<Reply | Refusal> {
  const { tab, request, conversation } = inference;
  try {
    const answering = answerRequest(inference);
    const reply = await (request.stream ? commitInTime(answering, inference) : answering);
    const closed = closeTabAfter(tab, reply);
    return conversation?.leave ? leaveAfter(conversation, await closed) : closed;
  } catch (error) {
    try {
      await tab.close();
    } finally {
      await conversation?.leave?.();
    }
    throw error;
  }
}
