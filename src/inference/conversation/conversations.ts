import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { isLong, type JsonBody, parseJsonObject, parseObjectInSlices } from '../../base/json/json-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { MAX_ITEMS } from '../../translation/protocols/responses/request-schema.ts';
import type { ConversationSource, KeptConversation, KeptRequest } from '../request/kept-conversation.ts';
import { ItemFinder } from '../responses/item-finder.ts';
import { inputList, joinLists } from '../responses/item-texts.ts';
import type { Loads } from '../responses/loads.ts';
import { responseNotFound } from '../responses/response-not-found.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import { countListed } from '../responses/split-list.ts';
import { OVER_LIMIT, tooLong } from '../responses/too-long.ts';
import { type ForModel, itemsForAnother, turnForModel } from './items-for-model.ts';
import { keepAnswer } from './keep-answer.ts';
import { renumber } from './renumber.ts';
import { needsItems, resolveInput } from './resolve-input.ts';

/** The longest chain of turns, more than an agent makes in a day. Every turn reads and keeps the whole chain. */
const MAX_TURNS = 2_000;

type ConversationsParts = { store: ResponseStore; clock: Clock; loads: Loads; yieldQueue: YieldQueue };

/** Prepares requests that continue stored responses. */
export class Conversations implements ConversationSource {
  readonly #store: ResponseStore;
  readonly #clock: Clock;
  readonly #loads: Loads;
  readonly #yieldQueue: YieldQueue;

  constructor({ store, clock, loads, yieldQueue }: ConversationsParts) {
    this.#yieldQueue = yieldQueue;
    this.#store = store;
    this.#clock = clock;
    this.#loads = loads;
  }

  async prepare(kept: KeptRequest): Promise<KeptConversation | Refusal> {
    const { exchange, principal, request, entry } = kept;
    const model = entry.model.id;
    const { value } = request.body;
    const owner = { keyId: principal.apiKey.id, now: this.#clock.now() };
    const previousId = (value.previous_response_id as string | null | undefined) ?? null;
    const earlier = previousId === null ? [] : await this.#loadTurns(previousId, kept, owner);
    if (earlier instanceof Refusal) return earlier;
    if (earlier.length > 0 || isLong(request.body)) await this.#yieldQueue.next();
    const sent = inputList(memberText(request.body, 'input'));
    const caller = { exchange, principal };
    const finder = new ItemFinder({ store: this.#store, loads: this.#loads, caller, owner });
    const resolved = needsItems(value.input) ? await resolveInput(sent, finder, model) : asSent(sent);
    if (resolved instanceof Refusal) return resolved;
    const { items: input } = resolved;
    const isAsSent = input === sent && earlier.length === 0;
    const parts = [...earlier.map((turn) => turnForModel(turn, model)), resolved];
    const losses = parts.flatMap((part) => part.losses);
    const whole = isAsSent ? input : joinLists(parts.map(({ items }) => items));
    const completed = isAsSent ? request : await this.#withInput(request, { items: whole, losses });
    if (completed instanceof Refusal) return completed;
    const inputItems = input === sent ? itemsIn(value.input) : countListed(input, false);
    const record = { exchange, principal, id: kept.id, previousId, input, inputItems, wholeInput: whole };
    return {
      request: completed,
      forAnother: () => requestForAnother(completed, { items: whole, losses }),
      keep: (answer, servedModel) => keepAnswer(answer, { ...record, servedModel, now: this.#clock.now() }),
      explain: (refusal) => (isAsSent ? refusal : renumber(refusal, { whole, input })),
    };
  }

  async #withInput(request: InferenceRequest, forModel: ForModel): Promise<InferenceRequest | Refusal> {
    const whole = wholeText(request, forModel);
    if (whole instanceof Refusal) return whole;
    await this.#yieldQueue.next();
    return withBody(request, await parseObjectInSlices(whole, this.#yieldQueue), forModel);
  }

  async #loadTurns(
    id: string,
    { request, exchange, principal }: KeptRequest,
    owner: { keyId: string; now: number },
  ): Promise<StoredTurn[] | Refusal> {
    const size = await this.#store.measureConversation({ ...owner, id });
    if (size === undefined) return responseNotFound(id);
    const { turns, bytes } = size;
    if (turns >= MAX_TURNS) return tooLong(`The conversation has ${turns} turns, which is the limit.`);
    if (bytes + request.body.text.length > MAX_BODY_BYTES) return tooLong(OVER_LIMIT);
    const refusal = await this.#loads.claim({ exchange, principal }, bytes);
    return refusal ?? this.#store.loadTurns({ ...owner, id });
  }
}

/** A plain text counts as one message. */
const itemsIn = (input: unknown): number => (Array.isArray(input) ? input.length : 1);

function memberText({ text, members }: JsonBody, name: string): string {
  const member = members.get(name);
  return member ? text.slice(member.start, member.end) : '[]';
}

const asSent = (items: string): ForModel => ({ items, losses: [] });

/** Clients send back reasoning that the requested model encrypted. Another model cannot read it. */
function requestForAnother(
  request: InferenceRequest,
  { items, losses }: ForModel,
): InferenceRequest | Refusal {
  if (!items.includes('"reasoning"')) return request;
  const others = itemsForAnother(items);
  return withInput(request, { items: others.items, losses: [...losses, ...others.losses] });
}

/** Returns the request with another input. */
function withInput(request: InferenceRequest, forModel: ForModel): InferenceRequest | Refusal {
  const whole = wholeText(request, forModel);
  return whole instanceof Refusal ? whole : withBody(request, parseJsonObject(whole), forModel);
}

function wholeText({ body }: InferenceRequest, { items: input }: ForModel): string | Refusal {
  const whole = patchJson(body.text, body.members, { input });
  return Buffer.byteLength(whole) > MAX_BODY_BYTES ? tooLong(OVER_LIMIT) : whole;
}

function withBody(
  request: InferenceRequest,
  body: JsonBody | Refusal,
  { losses }: ForModel,
): InferenceRequest | Refusal {
  if (body instanceof Refusal) return tooLong('The conversation contains too many values.');
  const items = body.value.input as unknown[];
  if (items.length > MAX_ITEMS) return tooLong(`The conversation has more than ${MAX_ITEMS} items.`);
  return { ...request, body, losses };
}
