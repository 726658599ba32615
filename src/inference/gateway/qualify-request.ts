import { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Plan } from '../../settings/plans/plan.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { type Fitting, fitRequest, type OutputRoom } from '../admission/fit-request.ts';
import { exceedsPlan, exceedsPlanRefusal } from '../admission/plan-prompt-limit.ts';
import { promptTooLong } from '../admission/prompt-too-long.ts';
import { unmetNeed } from '../admission/unmet-need.ts';
import { MeasuredPrompt } from './measure-prompt.ts';
import { type Screening, screenRequest } from './screen-request.ts';

/** A request, and the model that is to serve it. */
export type RequestForModel = Screening & {
  counter: TokenCounter;
  plan: Pick<Plan, 'displayName' | 'maxPromptTokens'>;
};

type Qualified = InferenceRequest | Refusal;

/**
 * Returns the request as the model can serve it. Refuses it if the model lacks a needed ability, the plan excludes the prompt, or the
 * window is too small.
 */
export function qualifyRequest(given: RequestForModel): MaybeLater<Qualified> {
  const { dialect, entry, plan } = given;
  const { needs } = dialect;
  const unmet = needs && unmetNeed(entry, needs, given.request.body.value);
  if (unmet) return unmet;
  const request = screenRequest(given);
  if (request instanceof Refusal) return request;
  const screened = request === given.request ? given : { ...given, request };
  const limit = plan.maxPromptTokens;
  if (limit === null) return fit(screened);
  if (request.metered)
    return exceedsMetered(screened, limit) ? exceedsPlanRefusal(plan.displayName, limit) : request;
  const exceeds = exceedsPlan({ entry, body: request.body, count: counting(screened), limit });
  return after<boolean, Qualified>(exceeds, (isTooLong) =>
    isTooLong ? exceedsPlanRefusal(plan.displayName, limit) : fit(screened),
  );
}

/** The body of a metered request can hold images, which are not read as text. */
const exceedsMetered = ({ request, entry, counter }: RequestForModel, limit: number): boolean =>
  new MeasuredPrompt(request, { entry, counter }).estimate() > limit;

/**
 * Counts the prompt exactly, in the counter's own thread. A request that is not exactly one conversation is counted as its texts and
 * tokens.
 */
export const counting =
  ({
    dialect,
    request,
    counter,
  }: Pick<RequestForModel, 'dialect' | 'request' | 'counter'>): Fitting['count'] =>
  async (model) => {
    const isOne = (request.prompts ?? 1) === 1;
    const decoded = request.canonical ?? (isOne ? dialect.codec?.decodeRequest(request.body) : undefined);
    if (decoded && !(decoded instanceof Refusal)) return counter.countPrompt(decoded, model);
    const { prompt, input } = request.body.value;
    const parts = [prompt ?? input].flat(2);
    const texts = parts.filter((part) => typeof part === 'string');
    const tokens = parts.filter((part) => typeof part === 'number').length;
    return { sure: (await counter.countText(texts.join('\n'), model)) + tokens, unsure: 0 };
  };

function fit(screened: RequestForModel): MaybeLater<Qualified> {
  const { exchange, dialect, request, entry } = screened;
  const { ceilings } = dialect;
  if (!ceilings || (request.prompts ?? 1) > 1) return request; // the upstream checks each of several prompts by itself
  const count = counting(screened);
  const room = fitRequest({ entry, style: exchange.style, body: request.body, ceilings, count });
  return after(room, (known) => withRoom(screened, known));
}

function withRoom({ request, entry }: RequestForModel, room: OutputRoom | Refusal): Qualified {
  if (room instanceof Refusal) return room;
  return room === undefined || room === entry.model.maxOutput ? request : { ...request, outputRoom: room };
}

/** If the upstream finds the prompt too long, the client gets the same error as from the gateway, with the upstream's own figures. */
export function tellLength<T>({ exchange }: Pick<RequestForModel, 'exchange'>, reply: T | Refusal) {
  if (!(reply instanceof Refusal) || reply.code !== 'context_length_exceeded') return reply;
  return promptTooLong(exchange.style, reply.details.promptLengths);
}
