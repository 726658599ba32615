import type { Refusal } from '../../base/errors/refusal.ts';
import { isLong } from '../../base/json/json-body.ts';
import { admit } from '../admission/admit.ts';
import { checkModel } from '../admission/check-model.ts';
import { creditFirst } from '../admission/credit-first.ts';
import { readRequest } from '../admission/read-request.ts';
import { continueConversation } from '../conversation/continue-conversation.ts';
import { limitToHold } from '../hold/limit-to-hold.ts';
import { openTab } from '../hold/open-tab.ts';
import { orderCredit } from '../hold/order-credit.ts';
import { passGate } from '../hold/pass-gate.ts';
import { requireStore } from '../hold/require-store.ts';
import { stopHostedTools } from '../hold/stop-hosted-tools.ts';
import { qualify } from '../qualification/qualify.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';

/** The way of a request to its tab, in order. Each step completes the request or refuses it. */
const steps: readonly Step[] = [
  readRequest,
  admit,
  creditFirst(checkModel),
  creditFirst(continueConversation),
  creditFirst(qualify),
  requireStore,
  stopHostedTools,
  orderCredit,
  passGate,
  limitToHold,
  openTab,
];

/** Takes a request through the steps to its tab. The result is there at once unless a step has to wait. */
export const prepareInference: Step = (inference) =>
  isLong(inference.body) ? prepareInTurns(inference) : prepareFrom(0, inference);

function prepareFrom(first: number, inference: Inference): ReturnType<Step> {
  for (let at = first; at < steps.length; at++) {
    const result = steps[at]!(inference);
    if (result instanceof Promise) return result.then((refusal) => refusal ?? prepareFrom(at + 1, inference));
    if (result) return result;
  }
  return undefined;
}

/**
 * Gives other requests a turn before each step of work on a long request, until its credit is held. The tab
 * must open with the hold.
 */
async function prepareInTurns(inference: Inference): Promise<Refusal | undefined> {
  for (const step of steps) {
    if (inference.hold === undefined) await inference.services.yieldQueue.next();
    const refusal = await step(inference);
    if (refusal) return refusal;
  }
  return undefined;
}
