import { Refusal } from '../../base/errors/refusal.ts';
import { isLong } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/start-over.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { admit } from '../admission/admit.ts';
import { checkModel } from '../admission/check-model.ts';
import { creditFirst } from '../admission/credit-first.ts';
import { readRequest } from '../admission/read-request.ts';
import { answerRequest } from '../answer/answer-request.ts';
import { continueConversation } from '../conversation/continue-conversation.ts';
import { leaveAfter } from '../conversation/leave-after.ts';
import { limitToHold } from '../hold/limit-to-hold.ts';
import { openTab } from '../hold/open-tab.ts';
import { orderCredit } from '../hold/order-credit.ts';
import { passGate } from '../hold/pass-gate.ts';
import { requireStore } from '../hold/require-store.ts';
import { stopHostedTools } from '../hold/stop-hosted-tools.ts';
import { qualify } from '../qualification/qualify.ts';
import { commitInTime } from '../reply/commit-in-time.ts';
import { runsInBackground } from '../request/background-starter.ts';
import { type ArrivedRequest, Inference } from '../request/inference.ts';
import type { Services } from '../request/services.ts';
import type { Step } from '../request/step.ts';
import { closeTabAfter } from '../settlement/close-tab-after.ts';

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

/** Handles one request from top to bottom: authentication, body, the steps to its tab, and the answer. */
export async function handleInference(
  exchange: Exchange,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  const { authenticator } = services;
  const starting = services.starts.next();
  if (starting) await starting;
  const authenticated = authenticator.authenticate(exchange, dialect.keyHeader);
  const principal = authenticated instanceof Promise ? await authenticated : authenticated;
  if (principal instanceof Refusal) return principal;
  const bodyOrForm = await (dialect.form
    ? services.readForm(exchange, dialect.form)
    : services.readBody(exchange));
  if (bodyOrForm instanceof Refusal) return bodyOrForm;
  const body = dialect.bodyAt ? dialect.bodyAt(bodyOrForm, exchange.params) : bodyOrForm;
  if (body instanceof Refusal) return body;
  const arrived = { exchange, principal, body };
  const recorded = services.recorded?.answer(arrived, () => answerArrived(arrived, dialect, services));
  return await (recorded ?? answerArrived(arrived, dialect, services));
}

async function answerArrived(
  { exchange, principal, body }: ArrivedRequest,
  dialect: Dialect,
  services: Services,
): Promise<Reply | Refusal> {
  if (body.value['background'] === true && services.background && runsInBackground(dialect))
    return services.background.begin({ exchange, principal, body, dialect });
  const answerFor = (caller: Principal) =>
    answerInference(new Inference(services, dialect, { exchange, principal: caller, body }));
  try {
    return await answerFor(principal); // the handler below sees a failure only of an awaited promise
  } catch (error) {
    return startOver(error, principal, {
      authenticate: (stale) => services.authenticator.authenticateAgain(exchange, stale, dialect.keyHeader),
      work: answerFor,
    });
  }
}

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
 * Gives other requests a turn before each step of work on a long request, until its credit is held.
 * The tab must open with the hold.
 */
async function prepareInTurns(inference: Inference): Promise<Refusal | undefined> {
  for (const step of steps) {
    if (inference.hold === undefined) await inference.services.yieldQueue.next();
    const refusal = await step(inference);
    if (refusal) return refusal;
  }
  return undefined;
}
