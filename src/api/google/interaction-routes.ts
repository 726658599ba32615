import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { memberText } from '../../base/json/member-text.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { membersOf, patchJson } from '../../base/json/patch-json.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { RecordedStreams } from '../../inference/recording/recorded-streams.ts';
import { joinLists } from '../../inference/responses/item-texts.ts';
import type { LoadCaller, Loads, OwnLoads } from '../../inference/responses/loads.ts';
import type { ResponseLookup } from '../../inference/responses/response-store.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import { storedInteractions } from '../../translation/protocols/interactions/stored-interactions.ts';
import { answerHandler } from '../responses/answer-handler.ts';
import { jsonTextReply } from '../responses/json-text-reply.ts';
import { StoredAnswers, type StoredAnswersParts } from '../responses/stored-answers.ts';
import { interactionDescriptions } from './interaction-descriptions.ts';
import { readInteractionQuery } from './read-interaction-query.ts';

export type InteractionRoutesParts = StoredAnswersParts & {
  authenticator: Pick<Authenticator, 'authenticateRead'>;
  loads: Loads;
  streams: RecordedStreams;
};

const form = { form: storedInteractions, style: 'google' } as const;

const PATH = '/v1beta/interactions/{id}';

/** The path that newer versions of the clients use. */
const NEWER = '/v1/interactions/{id}';

/** Returns the routes for stored interactions. Only the key that created an interaction can access it. */
export function interactionRoutes(parts: InteractionRoutesParts): Route[] {
  const { authenticator, clock } = parts;
  const answers = new StoredAnswers(parts, form);
  const handler = { authenticator, clock, answers, keyHeader: 'google' } as const;
  const show = answerHandler(handler, (wanted, caller) =>
    showInteraction({ ...parts, answers }, wanted, caller),
  );
  const remove = answerHandler(
    handler,
    async (wanted) => (await answers.delete(wanted)) ?? jsonReply(200, {}),
  );
  const cancel = answerHandler(handler, async (wanted) => jsonTextReply(await answers.cancel(wanted)));
  return [
    { method: 'GET', path: PATH, describe: interactionDescriptions.show, handle: show },
    { method: 'DELETE', path: PATH, describe: interactionDescriptions.delete, handle: remove },
    { method: 'POST', path: `${PATH}/cancel`, describe: interactionDescriptions.cancel, handle: cancel },
    { method: 'GET', path: NEWER, handle: show },
    { method: 'DELETE', path: NEWER, handle: remove },
    { method: 'POST', path: `${NEWER}/cancel`, handle: cancel },
  ];
}

type ShowParts = InteractionRoutesParts & { answers: StoredAnswers };

async function showInteraction(
  parts: ShowParts,
  wanted: ResponseLookup,
  caller: LoadCaller,
): Promise<Reply | Refusal> {
  const query = readInteractionQuery(caller.exchange);
  if (query instanceof Refusal) return query;
  const { answers, streams, loads } = parts;
  if (query.after === undefined) {
    const ownLoads = loads.of(caller);
    const text = await answers.show(wanted, ownLoads);
    const isDone = text instanceof Refusal || !query.includesInput;
    return jsonTextReply(isDone ? text : await withInput({ ...parts, ownLoads }, wanted, text));
  }
  const { exchange } = caller;
  const { keyId } = wanted;
  const recorded = { requestId: requestIdOf(exchange, wanted.id), keyId, frames: query.after };
  return (
    (await answers.follow(wanted, query.after)) ??
    (await streams.readAfter(exchange, recorded)) ??
    answers.refuseFollowing(wanted)
  );
}

/** The ids of an answer and of its request differ in their beginning alone. */
const requestIdOf = ({ requestId }: Exchange, id: string): string =>
  requestId.slice(0, requestId.indexOf('_') + 1) + id.slice(storedInteractions.idPrefix.length);

type InputParts = ShowParts & { ownLoads: OwnLoads };

/** Adds the input as a member of its own, and as the first steps. */
async function withInput(parts: InputParts, wanted: ResponseLookup, text: string): Promise<string | Refusal> {
  const input = await inputOf(parts, wanted);
  if (input instanceof Refusal) return input;
  const steps = joinLists([input, sliceJson(text, ['steps']) ?? '[]']);
  return patchJson(text, membersOf(text), { input, steps });
}

/**
 * Loads the input of the last turn. The store reads the turns before it too, so the memory of all is booked.
 */
async function inputOf(
  { store, background, ownLoads }: InputParts,
  wanted: ResponseLookup,
): Promise<string | Refusal> {
  const size = await store.measureConversation(wanted);
  const refusal = size && (await ownLoads.claim(size.bytes));
  if (refusal) return refusal;
  const turn = size && (await store.loadTurns(wanted)).at(-1);
  if (turn) return turn.input;
  const unfinished = await background.findBackground(wanted);
  const body = unfinished && parseBodyAtOnce(unfinished.body);
  return body && !(body instanceof Refusal)
    ? storedInteractions.inputList(memberText(body as JsonBody, 'input'))
    : '[]';
}
